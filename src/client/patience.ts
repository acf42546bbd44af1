/** Patience with the daemon: a call that lost the daemon is made again when the daemon is back. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../api/api.ts";
import type { Refusal } from "../core/model/errors.ts";
import { fullFor } from "./calls.ts";
import { isDisconnect } from "./disconnect.ts";

export interface Patience {
  /** Asks the daemon how it is, without starting one. */
  health: ApiClient["health"];
  isOver(): boolean;
  abort?: AbortSignal | undefined;
  /** Called once if it turns out that somebody stopped the daemon. */
  stopped?(): void;
  /** Called once if there is no room for an event stream. */
  full?(why: Refusal): void;
}

const LOOK_AGAIN_MS = 200;

/** How long a request is repeated: enough time to start a daemon that was killed. */
const ASK_WITHIN_MS = 20_000;
/** On a machine that is too busy to look this often in that time, it is repeated for longer. */
const ASK_AT_LEAST = 40;
const ASK_LONGEST_MS = 6 * ASK_WITHIN_MS;

/** The patience of a request: `isOver` counts how often it was asked, since a busy machine has time for less. */
export function askingSince(begin: number, now: () => number = () => performance.now()): () => boolean {
  let looks = 0;
  return () => {
    looks += 1;
    const passed = now() - begin;
    return passed >= ASK_LONGEST_MS || (passed >= ASK_WITHIN_MS && looks >= ASK_AT_LEAST);
  };
}

/**
 * Makes the call, and repeats it whenever the daemon is lost, until time is up. The call itself restarts a daemon that
 * died. A daemon that somebody stopped is not restarted: we wait for it.
 */
export async function patiently<T>(patience: Patience, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await whenRoom(patience, call);
    } catch (error) {
      if (patience.abort?.aborted || patience.isOver() || !isDisconnect(error)) throw error;
      await untilBack(patience, error);
    }
  }
}

/** Makes a call that follows events. While there is no room for its stream, it is made again every few seconds. */
export async function whenRoom<T>(
  { abort, isOver, full }: Pick<Patience, "abort" | "isOver" | "full">,
  call: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const ms = fullFor(error);
      if (ms === null || abort?.aborted || isOver()) throw error;
      if (tries === 1) full?.(error as Refusal);
      await sleep(ms, undefined, abort ? { signal: abort } : {});
    }
  }
}

/** Returns when the daemon is back, or has died and can be started. Throws the error when time is up. */
export async function untilBack(patience: Patience, error: unknown): Promise<void> {
  const { abort } = patience;
  for (let looks = 1; ; looks++) {
    await sleep(LOOK_AGAIN_MS, undefined, abort ? { signal: abort } : {});
    if (!(await isStopped(patience))) return;
    if (patience.isOver()) throw error;
    if (looks === 2) patience.stopped?.();
  }
}

/** A daemon that is stopped removes its socket. One that dies leaves it behind. */
async function isStopped({ health }: Patience): Promise<boolean> {
  try {
    await health();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
