/** How the tour waits, and how it looks at what was recorded. */
import { setTimeout as sleep } from "node:timers/promises";
import { isDisconnect } from "../../client/disconnect.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Event } from "../../core/model/events.ts";
import type { Context } from "../base/command.ts";
import { deadlineAfter, isOver } from "../base/deadline.ts";
import { whatIsWrong } from "./trouble.ts";

const LOOK_AGAIN_MS = 40;
const PATIENCE_MS = 60_000;

/** Looks until there is something. A tour that hangs says so. */
export async function until<T>(
  context: Context,
  trouble: string,
  look: () => Promise<T | null>,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const deadline = deadlineAfter(withinMs);
  for (;;) {
    const found = await look().catch((error) => {
      if (!isDisconnect(error)) throw error;
      return null; // a daemon short of resources drops callers
    });
    if (found !== null) return found;
    if (isOver(deadline)) {
      const said = [`${trouble} within ${deadline.text}`, ...(await whatIsWrong(context))];
      throw new Refusal("timeout", said.join("\n  "), "oj demo");
    }
    await sleep(LOOK_AGAIN_MS, undefined, { signal: context.abort });
  }
}

export async function eventsSoFar({ client }: Context): Promise<Event[]> {
  const { seq } = await client.health();
  const events: Event[] = [];
  for await (const event of client.events({ after: 0 })) {
    events.push(event);
    if (event.seq >= seq) break;
  }
  return events;
}
