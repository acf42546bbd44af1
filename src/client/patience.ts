/** Patience with the daemon: what lost it is asked again when it is back. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../api/api.ts";
import { isDisconnect } from "./disconnect.ts";

export interface Patience {
  /** Asks the daemon that is there how it is, and starts none. */
  health: ApiClient["health"];
  isOver(): boolean;
  abort?: AbortSignal | undefined;
  /** Called once when the daemon turns out to have been stopped by somebody. */
  stopped?(): void;
}

const LOOK_AGAIN_MS = 200;

/** How long a request is sent again: time in which a daemon that was killed is started. */
export const ASK_WITHIN_MS = 20_000;

/**
 * Makes the call, and makes it again after each loss of the daemon, until it is over. A daemon that died is started
 * again by the call itself; one that somebody stopped is not: it is waited for.
 */
export async function patiently<T>(patience: Patience, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (patience.abort?.aborted || patience.isOver() || !isDisconnect(error)) throw error;
      await untilBack(patience, error);
    }
  }
}

/** Returns when the daemon is there again, or died and can be started; throws the error when that is over. */
export async function untilBack(patience: Patience, error: unknown): Promise<void> {
  const { abort } = patience;
  for (let looks = 1; ; looks++) {
    await sleep(LOOK_AGAIN_MS, undefined, abort ? { signal: abort } : {});
    if (!(await isStopped(patience))) return;
    if (patience.isOver()) throw error;
    if (looks === 2) patience.stopped?.();
  }
}

/** A daemon that was stopped takes its socket away; one that died leaves it behind. */
async function isStopped({ health }: Patience): Promise<boolean> {
  try {
    await health();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
