/** How often people were interrupted: messages that reached somebody, by the hour of the day. A rewrite is none. */
import type { Source } from "../model/decision-types.ts";
import type { ChannelKind } from "../model/reach-types.ts";
import type { State } from "../model/state/state.ts";
import { wallAt } from "../reach/zone.ts";
import { pastOf, spanOf } from "./tally.ts";

export interface Interruption {
  count: number;
  from_ms: number;
  /** The same as `from_ms` for a decision that is kept; of deleted ones only the hour of a day or month is known. */
  until_ms: number;
  /** An hour in which it happened: of a month only the hour of the day is known. */
  at_ms: number;
  project: string;
  source: Source;
  person: string;
  channel: ChannelKind;
}

/** How often a person was interrupted, and in which hours of the day. */
export interface Interrupted {
  person: string;
  count: number;
  /** From midnight on: 24 of them. */
  hours: number[];
}

export function* interruptions({
  decisions,
  past,
}: Pick<State, "decisions" | "past">): Generator<Interruption> {
  for (const { told, project, source } of decisions.gists())
    for (const { at_ms, people, channel } of told)
      for (const person of people)
        yield { count: 1, from_ms: at_ms, until_ms: at_ms, at_ms, project, source, person, channel };
  for (const [what, count] of pastOf(past)) {
    if (what.what !== "interrupted") continue;
    const { when, hour, project, source, person, channel } = what;
    const { from_ms, until_ms } = spanOf(when);
    const at_ms = from_ms + hour * HOUR_MS;
    const isMonth = until_ms - from_ms > DAY_MS;
    const span = isMonth ? { from_ms, until_ms } : { from_ms: at_ms, until_ms: at_ms + HOUR_MS };
    yield { count, ...span, at_ms, project, source, person, channel };
  }
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Adds them up by person, in somebody's time zone. */
export function interruptedBy(zone: string) {
  const found = new Map<string, Interrupted>();
  return {
    add({ person, at_ms, count }: Pick<Interruption, "person" | "at_ms" | "count">): void {
      const it = found.get(person) ?? { person, count: 0, hours: Array<number>(24).fill(0) };
      found.set(person, it);
      const hour = Math.floor((wallAt(zone, at_ms) % DAY_MS) / HOUR_MS);
      it.count += count;
      it.hours[hour] = (it.hours[hour] ?? 0) + count;
    },
    /** Those who were interrupted most come first. */
    all: (): Interrupted[] =>
      [...found.values()].sort((a, b) => b.count - a.count || a.person.localeCompare(b.person)),
  };
}
