/** Patience with the daemon: a call that lost the daemon is made again when the daemon is back. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../api/api.ts";
import type { Refusal } from "../core/model/errors.ts";
import { fullFor } from "./calls.ts";
import { isAwayNow, isDisconnect, isUnreachable } from "./disconnect.ts";

export interface Patience {
  /** Asks the daemon how it is, without starting one. */
  health: ApiClient["health"];
  isOver(): boolean;
  abort?: AbortSignal | undefined;
  /**
   * The daemon is another machine's, behind a door there: whatever is wrong with it, no call of ours starts it. A daemon
   * here that has died is started by the next call.
   */
  isAfar?: boolean;
  /** Called if it turns out that somebody stopped the daemon, or that its machine is away. */
  stopped?(): void;
  /** Called once if there is no room for an event stream. */
  full?(why: Refusal): void;
  /** Waits; tests don't. */
  pause?(ms: number, abort: AbortSignal | undefined): Promise<void>;
}

const LOOK_AGAIN_MS = 200;
/** Another machine may be away for hours. */
const LOOK_AFAR_MS = 5000;

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
  let met = false; // a server that never was there is a wrong address
  for (;;) {
    try {
      return await whenRoom(patience, call);
    } catch (error) {
      met ||= isDisconnect(error) || isAwayNow(error);
      const isLost = met && (isDisconnect(error) || isUnreachable(error));
      if (patience.abort?.aborted || patience.isOver() || !isLost) throw error;
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
  const { abort, pause = waiting } = patience;
  for (let looks = 1, ms = LOOK_AGAIN_MS; ; looks++) {
    await pause(ms, abort);
    const found = await look(patience);
    if (found === "here") return;
    if (patience.isOver()) throw error;
    if (looks === 2) patience.stopped?.();
    if (found === "away") ms = Math.min(ms * 2, LOOK_AFAR_MS);
  }
}

function waiting(ms: number, abort: AbortSignal | undefined): Promise<void> {
  return sleep(ms, undefined, abort ? { signal: abort } : {});
}

/** A daemon that is stopped removes its socket. One that dies leaves it behind: it can be called, which starts it. */
async function look({ health, isAfar }: Patience): Promise<"here" | "stopped" | "away"> {
  try {
    await health();
    return "here";
  } catch (error) {
    if (isUnreachable(error) || (isAfar && isDisconnect(error))) return "away";
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "stopped" : "here";
  }
}
