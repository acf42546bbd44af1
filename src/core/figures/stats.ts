/** How it is going: what was asked and answered in a span of time, how long it took, and what keeps coming back. */
import type { Source } from "../model/decision-types.ts";
import type { Gist } from "../model/gist.ts";
import type { DecisionId } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import type { Day } from "./days.ts";
import { startDays } from "./days.ts";
import type { Interrupted } from "./interruptions.ts";
import { interruptedBy, interruptions } from "./interruptions.ts";
import type { Happening, Tally } from "./tally.ts";
import { addTo, emptyTally, happenings } from "./tally.ts";
import type { Times } from "./times.ts";
import { timesOf } from "./times.ts";

export interface StatsQuery {
  /** From when on, until when; null: since ever, until now. */
  since_ms: number | null;
  until_ms: number | null;
  project: string | null;
  source: Source | null;
  /** Whose days they are. */
  zone: string;
}

export interface Stats extends Tally {
  since_ms: number | null;
  until_ms: number;
  /** Some of it is only known by the day or the month, which begins before or ends after the span. */
  is_rounded: boolean;
  pending: number;
  /** How long the oldest pending one has waited; null if none is pending. */
  oldest_pending_ms: number | null;
  times: { first_look: Times; answer: Times; acknowledgement: Times };
  choices: Choices;
  by_source: Group[];
  by_person: Group[];
  by_channel: Group[];
  /** Who answered where, the most first. */
  answers: Answers[];
  interruptions: Interrupted[];
  days: Day[];
  recurring: Recurring[];
}

export interface Choices {
  /** Answers to decisions that recommend an option; how many took it. */
  could_be_recommended: number;
  recommended: number;
  own_words: number;
  undone: number;
}

export type Group = Tally & { name: string; answer: Times };

export interface Answers {
  person: string;
  channel: string;
  answered: number;
}

/** A question that was asked more than once. */
export interface Recurring {
  count: number;
  last_id: DecisionId;
}

export function statsOf(state: Readonly<State>, query: StatsQuery, now: number): Stats {
  const { since_ms, project, source } = query;
  const from_ms = since_ms ?? -Infinity;
  const until_ms = query.until_ms ?? now + 1;
  const isWanted = (it: Pick<Gist, "project" | "source">) =>
    (project === null || it.project === project) && (source === null || it.source === source);
  const isIn = (at_ms: number) => at_ms >= from_ms && at_ms < until_ms;
  const touches = (it: Span) =>
    it.from_ms === it.until_ms ? isIn(it.from_ms) : it.until_ms > from_ms && it.from_ms < until_ms;
  const isCut = (it: Span) => it.from_ms < it.until_ms && (it.from_ms < from_ms || it.until_ms > until_ms);

  const total = emptyTally();
  const groups = { source: groupsBy(), person: groupsBy(), channel: groupsBy() };
  const answers = new Map<string, Answers>();
  const days = startDays(query.zone);
  let is_rounded = false;
  for (const it of happenings(state)) {
    if (!touches(it) || !isWanted(it)) continue;
    if (isCut(it)) is_rounded = true;
    addTo(total, it);
    days.add(it);
    groups.source.add(it.source, it);
    if (it.type === "settled" && it.state === "resolved") {
      groups.person.add(it.by ?? "nobody", it);
      groups.channel.add(it.via ?? "none", it);
      addAnswers(answers, it);
    }
  }

  const interrupted = interruptedBy(query.zone);
  for (const it of interruptions(state)) {
    if (!touches(it) || !isWanted(it)) continue;
    if (isCut(it)) is_rounded = true;
    interrupted.add(it);
  }

  const asked: Gist[] = [];
  const answered: Gist[] = [];
  let pending = 0;
  let oldest = Infinity;
  for (const gist of state.decisions.gists()) {
    if (!isWanted(gist)) continue;
    if (gist.state === "pending") {
      pending++;
      oldest = Math.min(oldest, gist.created_at_ms);
    }
    if (isIn(gist.created_at_ms)) asked.push(gist);
    if (gist.state === "resolved" && isIn(gist.settled_at_ms)) answered.push(gist);
  }
  const waits = (of: (it: Gist) => string | null) => (name: string) =>
    timesOf(answered.filter((it) => of(it) === name).map(waited));
  return {
    since_ms,
    until_ms: query.until_ms ?? now,
    is_rounded,
    ...total,
    pending,
    oldest_pending_ms: pending === 0 ? null : Math.max(0, now - oldest),
    times: {
      first_look: timesOf(
        asked.flatMap((it) => (it.seen_at_ms === null ? [] : it.seen_at_ms - it.created_at_ms)),
      ),
      answer: timesOf(answered.map(waited)),
      acknowledgement: timesOf(
        answered.flatMap((it) =>
          it.acknowledged_at_ms === null ? [] : it.acknowledged_at_ms - it.settled_at_ms,
        ),
      ),
    },
    choices: choicesIn(answered, asked),
    by_source: groups.source.all(waits((it) => it.source)),
    by_person: groups.person.all(waits((it) => it.by)),
    by_channel: groups.channel.all(waits((it) => it.via)),
    answers: [...answers.values()].sort((a, b) => b.answered - a.answered),
    interruptions: interrupted.all(),
    days: days.all({ since_ms, until_ms: query.until_ms ?? now }),
    recurring: recurringIn(asked),
  };
}

function addAnswers(all: Map<string, Answers>, { by, via, count }: Happening): void {
  const [person, channel] = [by ?? "nobody", via ?? "none"];
  const key = JSON.stringify([person, channel]);
  const it = all.get(key) ?? { person, channel, answered: 0 };
  all.set(key, { ...it, answered: it.answered + count });
}

type Span = Pick<Happening, "from_ms" | "until_ms">;

function waited({ settled_at_ms, created_at_ms }: Gist): number {
  return settled_at_ms - created_at_ms;
}

function choicesIn(answered: readonly Gist[], asked: readonly Gist[]): Choices {
  return {
    could_be_recommended: answered.filter((it) => it.recommends).length,
    recommended: answered.filter((it) => it.chose === "recommended").length,
    own_words: answered.filter((it) => it.chose === "words").length,
    undone: asked.reduce((sum, it) => sum + it.undone, 0),
  };
}

/** The ones that matter are few. */
const MOST_RECURRING = 10;

function recurringIn(asked: readonly Gist[]): Recurring[] {
  const found = new Map<string, Recurring>();
  for (const { question, id } of asked) {
    const count = (found.get(question)?.count ?? 0) + 1;
    found.set(question, { count, last_id: id });
  }
  return [...found.values()]
    .filter((it) => it.count > 1)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_RECURRING);
}

function groupsBy() {
  const found = new Map<string, Tally>();
  return {
    add(name: string, it: Happening) {
      const tally = found.get(name) ?? emptyTally();
      found.set(name, tally);
      addTo(tally, it);
    },
    /** Those with the most in them first. */
    all(answer: (name: string) => Times): Group[] {
      return [...found]
        .map(([name, tally]) => ({ name, ...tally, answer: answer(name) }))
        .sort((a, b) => b.asked - a.asked || b.answered - a.answered || a.name.localeCompare(b.name));
    },
  };
}
