/** Counts of what was asked and how it ended, from the decisions that are kept and the counts of those that are not. */
import type { DecisionState, Source, Via } from "../model/decision-types.ts";
import type { Gist } from "../model/gist.ts";
import type { PastCount, PastWhat } from "../model/state/fold-past.ts";
import type { State } from "../model/state/state.ts";

/** Dismissed and superseded ones are not answered: nobody decided what was asked. */
export interface Tally {
  asked: number;
  answered: number;
  expired: number;
  /** How many of the expired ones took their default. */
  defaulted: number;
  withdrawn: number;
  dismissed: number;
  superseded: number;
}

/** Something that happened to decisions: they were asked, or they ended. */
export interface Happening {
  type: "asked" | "settled";
  count: number;
  from_ms: number;
  /** The same as `from_ms` for a decision that is kept; of deleted ones only the day or month is known. */
  until_ms: number;
  project: string;
  source: Source;
  state: DecisionState;
  by: string | null;
  via: Via | null;
}

export function emptyTally(): Tally {
  return { asked: 0, answered: 0, expired: 0, defaulted: 0, withdrawn: 0, dismissed: 0, superseded: 0 };
}

export function addTo(
  tally: Tally,
  { type, state, via, count }: Pick<Happening, "type" | "state" | "via" | "count">,
): void {
  if (type === "asked") tally.asked += count;
  else if (state === "resolved") tally.answered += count;
  else if (state !== "pending") tally[state] += count;
  if (type === "settled" && state === "expired" && via !== null) tally.defaulted += count;
}

/** Everything that ever happened, as far as the log says. */
export function* happenings({ decisions, past }: Pick<State, "decisions" | "past">): Generator<Happening> {
  for (const gist of decisions.gists()) {
    yield happened("asked", gist, gist.created_at_ms);
    if (gist.state !== "pending") yield happened("settled", gist, gist.settled_at_ms);
  }
  for (const [what, count] of pastOf(past)) {
    if (what.what !== "asked" && what.what !== "settled") continue;
    const { project, source } = what;
    const ended = what.what === "settled" ? what : { state: "pending" as const, by: null, via: null };
    const { state, by, via } = ended;
    yield { type: what.what, count, ...spanOf(what.when), project, source, state, by, via };
  }
}

export function* pastOf(past: ReadonlyMap<string, PastCount>): Generator<[PastWhat, number]> {
  for (const { key, count } of past.values()) yield [JSON.parse(key) as PastWhat, count];
}

function happened(type: Happening["type"], gist: Gist, at_ms: number): Happening {
  const { project, source, state, by, via } = gist;
  return { type, count: 1, from_ms: at_ms, until_ms: at_ms, project, source, state, by, via };
}

/** A day or a month, as it is written: `2026-11-16`, `2026-11`. */
export function spanOf(when: string): { from_ms: number; until_ms: number } {
  const [year = 0, month = 1, day] = when.split("-").map(Number);
  if (day === undefined) return { from_ms: Date.UTC(year, month - 1), until_ms: Date.UTC(year, month) };
  return { from_ms: Date.UTC(year, month - 1, day), until_ms: Date.UTC(year, month - 1, day + 1) };
}
