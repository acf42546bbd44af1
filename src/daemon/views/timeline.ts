/**
 * Collects what is recorded about one decision or job, oldest first. The log has no index by what an event is about,
 * because that would make every append more expensive. So we read on from where the decision or job was created, in
 * slices that are short enough for appends not to wait. Nobody knows what an unreadable event was about, so each one is
 * included.
 */
import type { Event } from "../../core/model/events.ts";
import { idsOf } from "../../core/model/events.ts";
import type { DecisionId, OwnerId } from "../../core/model/ids.ts";
import type { Log } from "../../ports.ts";

export interface Timeline {
  events: Event[];
  /** Where to continue; null at the end. */
  next: number | null;
}

const SLICE = 1000;
const MOST_EVENTS = 1000;
/** The wall clock may have been set back a little around the creation. */
const SLACK_MS = 60_000;

export async function timeline(
  log: Pick<Log, "look" | "find">,
  about: { id: DecisionId | OwnerId; created_at_ms: number },
  how: { tip: number; after: number | null; abort: AbortSignal },
): Promise<Timeline> {
  if (how.after !== null) return collect(log, about.id, how.after, how.abort);
  const start = await firstSince(log, about.created_at_ms - SLACK_MS, how.tip);
  const found = await collect(log, about.id, start, how.abort);
  // If the creation was not found, the clock was once set far back, and the time does not say where to start.
  const isWhole = start === 0 || found.events.some((it) => it.type.endsWith(":created"));
  return isWhole ? found : collect(log, about.id, 0, how.abort);
}

/** The seq before the first event of that time or later, by binary search. */
async function firstSince(log: Pick<Log, "look">, at_ms: number, tip: number): Promise<number> {
  let [low, high] = [0, tip];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await log.look(middle, 1);
    if (!event || event.at_ms >= at_ms) high = middle;
    else low = Math.max(middle + 1, event.seq);
  }
  return low;
}

async function collect(
  log: Pick<Log, "find">,
  id: DecisionId | OwnerId,
  from: number,
  abort: AbortSignal,
): Promise<Timeline> {
  /** A job's timeline includes the decisions that it owns. */
  const ids = new Set<string>([id]);
  const events: Event[] = [];
  let after: number | null = from;
  while (after !== null && events.length < MOST_EVENTS && !abort.aborted) {
    const { events: found, last } = await log.find(after, SLICE, [...ids]);
    const owned = found.filter(
      (it) => it.type === "decision:created" && (it.owner.id === id || it.job_id === id),
    );
    const fresh = owned.filter((it) => !ids.has((it as { id: string }).id));
    for (const it of fresh) ids.add((it as { id: string }).id);
    if (fresh.length > 0) continue; // read the slice again: later events in it may name only the new ids
    events.push(...found.filter((it) => it.type === "log:lost" || idsOf(it).some((named) => ids.has(named))));
    after = last;
  }
  return { events, next: after };
}
