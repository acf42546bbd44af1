/** Notices at once, through its event, when somebody else settles a decision. */
import { setTimeout as sleep } from "node:timers/promises";
import { fullFor } from "../../client/calls.ts";
import type { Context } from "../base/command.ts";
import { directClient } from "../base/patience.ts";

export interface Settled {
  /** Aborted as soon as this decision is settled. */
  of(id: string): AbortSignal;
  close(): void;
}

const TYPES = ["decision:resolved", "decision:superseded", "decision:withdrawn", "decision:expired"];
const LOOK_AGAIN_MS = 300;

export function watchSettled(context: Context, after: number): Settled {
  const end = new AbortController();
  const abort = AbortSignal.any([end.signal, context.abort]);
  const settled = new Map<string, AbortController>();
  const controllerOf = (id: string) => {
    const known = settled.get(id) ?? new AbortController();
    settled.set(id, known);
    return known;
  };
  const follow = async () => {
    let seen = after;
    while (!abort.aborted) {
      let wait = LOOK_AGAIN_MS;
      try {
        for await (const event of directClient(context, abort).events({ after: seen, types: TYPES })) {
          seen = event.seq;
          if ("id" in event) controllerOf(event.id).abort();
        }
      } catch (error) {
        // A daemon that is away for a while is no reason to disturb the person; each answer is checked anyway.
        wait = fullFor(error) ?? LOOK_AGAIN_MS;
      }
      await sleep(wait, undefined, { signal: abort }).catch(() => {});
    }
  };
  void follow();
  return { of: (id) => controllerOf(id).signal, close: () => end.abort() };
}
