/** Everything since the beginning, for programs that watch: counts that only ever go up, and what waits now. */
import type { DecisionState, Source } from "../model/decision-types.ts";
import { isDue } from "../model/face.ts";
import type { ChannelKind } from "../model/reach-types.ts";
import type { Urgency } from "../model/runbook.ts";
import { upTo, WAITS_S } from "../model/state/fold-past.ts";
import type { State } from "../model/state/state.ts";
import { interruptions } from "./interruptions.ts";
import { happenings, pastOf } from "./tally.ts";

export interface Totals {
  asked: Counted<{ project: string; source: Source }>[];
  settled: Counted<{ project: string; source: Source; state: DecisionState }>[];
  answers: Counted<{ by: string; via: string }>[];
  pending: Counted<{ project: string; source: Source; urgency: Urgency }>[];
  /** Those of them that wait for too long. */
  stale: Counted<{ project: string; source: Source; urgency: Urgency }>[];
  oldest_pending_at_ms: number | null;
  /** How many answers took at most so long; the last counts all of them. */
  waited: { up_to_s: number | null; count: number }[];
  waited_ms: number;
  /** By the hour of the day, by UTC. */
  interruptions: Counted<{ person: string; hour: number }>[];
  notices: Notices;
}

/** Messages that wait to be sent for the first time; those that were sent; tries that failed. */
type Notices = Record<"owed" | "sent" | "failed", Counted<{ channel: ChannelKind }>[]>;

export type Counted<T> = T & { count: number };

export function totalsOf(state: Readonly<State>): Totals {
  const asked = counter<{ project: string; source: Source }>();
  const settled = counter<{ project: string; source: Source; state: DecisionState }>();
  const answers = counter<{ by: string; via: string }>();
  for (const it of happenings(state)) {
    const { project, source, count } = it;
    if (it.type === "asked") asked.add({ project, source }, count);
    else settled.add({ project, source, state: it.state }, count);
    if (it.type === "settled" && it.state === "resolved")
      answers.add({ by: it.by ?? "", via: it.via ?? "" }, count);
  }
  const pending = counter<{ project: string; source: Source; urgency: Urgency }>();
  const stale = counter<{ project: string; source: Source; urgency: Urgency }>();
  let oldest: number | null = null;
  for (const id of state.pending) {
    const { project, source, urgency, created_at_ms = Infinity } = state.decisions.gist(id) ?? {};
    if (project === undefined || source === undefined || urgency === undefined) continue;
    pending.add({ project, source, urgency }, 1);
    if (state.decisions.get(id)?.stale_since_ms !== undefined) stale.add({ project, source, urgency }, 1);
    oldest = Math.min(oldest ?? Infinity, created_at_ms);
  }
  return {
    asked: asked.all(),
    settled: settled.all(),
    answers: answers.all(),
    pending: pending.all(),
    stale: stale.all(),
    oldest_pending_at_ms: oldest,
    ...waitsIn(state),
    interruptions: interruptionsIn(state),
    notices: noticesIn(state),
  };
}

function interruptionsIn(state: Readonly<State>): Totals["interruptions"] {
  const found = counter<{ person: string; hour: number }>();
  for (const { person, at_ms, count } of interruptions(state))
    found.add({ person, hour: new Date(at_ms).getUTCHours() }, count);
  return found.all();
}

function noticesIn({ decisions, untold, past }: Readonly<State>): Notices {
  const found = { owed: channels(), sent: channels(), failed: channels() };
  for (const id of untold) {
    const decision = decisions.get(id);
    for (const notice of decision?.reach?.notices ?? [])
      if (decision && notice.shows === null && isDue(notice, decision))
        found.owed.add({ channel: notice.kind }, 1);
  }
  for (const [what, count] of pastOf(past))
    if (what.what === "sent" || what.what === "failed")
      found[what.what].add({ channel: what.channel }, count);
  return { owed: found.owed.all(), sent: found.sent.all(), failed: found.failed.all() };
}

const channels = () => counter<{ channel: ChannelKind }>();

function waitsIn({ decisions, past }: Readonly<State>): Pick<Totals, "waited" | "waited_ms"> {
  const counts = new Map<number | null, number>();
  let waited_ms = 0;
  const add = (up_to_s: number | null, count: number) =>
    counts.set(up_to_s, (counts.get(up_to_s) ?? 0) + count);
  for (const gist of decisions.gists()) {
    if (gist.state !== "resolved") continue;
    const ms = Math.max(0, gist.settled_at_ms - gist.created_at_ms);
    add(upTo(ms), 1);
    waited_ms += ms;
  }
  for (const [what, count] of pastOf(past)) {
    if (what.what === "waited") add(what.up_to_s, count);
    else if (what.what === "waited-ms") waited_ms += count;
  }
  let sum = 0;
  const waited = [...WAITS_S, null].map((up_to_s) => {
    sum += counts.get(up_to_s) ?? 0;
    return { up_to_s, count: sum };
  });
  return { waited, waited_ms };
}

function counter<T extends object>() {
  const found = new Map<string, Counted<T>>();
  return {
    add(what: T, count: number) {
      const key = JSON.stringify(what);
      const known = found.get(key);
      if (known) known.count += count;
      else found.set(key, { ...what, count });
    },
    all: () => [...found.values()],
  };
}
