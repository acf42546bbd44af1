/** Patience with a server that is away for a moment: what was approved there must not be lost because of that. */
import { isDisconnect, isUnreachable } from "../../client/disconnect.ts";

const AGAIN = 5;

/** It, its daemon or what stands before them is being started again, or the connection broke. */
export function isAway(error: unknown): boolean {
  return isDisconnect(error) || isUnreachable(error);
}

/** Makes a call again while the server is away, more slowly each time. */
export async function oncePresent<T>(
  call: () => Promise<T>,
  pause: (seconds: number) => Promise<unknown>,
): Promise<T> {
  for (let left = AGAIN, wait_s = 1; ; left -= 1, wait_s *= 2) {
    try {
      return await call();
    } catch (error) {
      if (left === 0 || !isAway(error)) throw error;
    }
    await pause(wait_s);
  }
}
