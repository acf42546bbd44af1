/** Patience with the daemon: what lost it is asked again when it is back. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../api.ts";
import { clientOf } from "../client/client.ts";
import { Refusal } from "../core/errors.ts";
import type { Context } from "./command.ts";
import type { Deadline } from "./deadline.ts";
import { isOver } from "./deadline.ts";
import { isDisconnect } from "./fail.ts";

const LOOK_AGAIN_MS = 200;

/**
 * Makes the call, and makes it again after each loss of the daemon, until the deadline. A daemon that died is started
 * again by the call itself; one that somebody stopped is not: it is waited for.
 */
export async function patiently<T>(context: Context, deadline: Deadline, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (context.abort.aborted || isOver(deadline, context.now()) || !isDisconnect(error)) throw error;
      await untilBack(context, deadline, error);
    }
  }
}

/** What a stream that ended in order, though there is more to come, is taken for. */
export function stopped(): Refusal {
  return new Refusal("daemon.stopping", "the daemon was stopped", "oj daemon start");
}

/** A client that never starts a daemon, whatever the daemon's version. */
export function directClient({ config }: Pick<Context, "config">, abort: AbortSignal): Client {
  return clientOf({ socket: config.socket, user: config.user, via: "cli", anyVersion: true, abort });
}

async function untilBack(context: Context, deadline: Deadline, error: unknown): Promise<void> {
  for (let looks = 1; ; looks++) {
    await sleep(LOOK_AGAIN_MS, undefined, { signal: context.abort });
    if (!(await isStopped(context))) return;
    if (isOver(deadline, context.now())) throw error;
    if (looks === 2) context.out.say("the daemon was stopped; this goes on when it is started again");
  }
}

/** A daemon that was stopped takes its socket away; one that died leaves it behind. */
async function isStopped(context: Context): Promise<boolean> {
  try {
    await directClient(context, context.abort).health();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
