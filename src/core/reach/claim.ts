/**
 * "I'm on it": a claim pauses the clock of the level for a while, a snooze too, and a release lets it continue.
 * The deadline keeps running.
 */
import { findOpen } from "../decision/decision.ts";
import type { Decision, Via } from "../model/decision-types.ts";
import type { EscalateEffect } from "../model/effects.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { LevelTimes } from "../model/reach-types.ts";
import { LONGEST_CLAIM_MS } from "../model/reach-types.ts";
import type { State } from "../model/state/state.ts";
import { refuseOthers } from "../rights/rule.ts";
import { formatDuration, roughly } from "../text/duration.ts";
import type { ReachConfig } from "./config-types.ts";
import { expiryOf } from "./deadline.ts";
import type { Teller } from "./escalation.ts";
import { levelClock } from "./level-clock.ts";

/** How long a claim lasts if neither the person nor the escalation says it. */
const CLAIM_FOR_MS = 30 * 60_000;

interface Given {
  id: string;
  by: string;
  /** Who they are for the decision's rule: whoever may not answer can't stop its clock. Absent: no person. */
  who?: string | null;
  via: Via;
}

export function claimDecision(
  state: Readonly<State>,
  { id, by, who, via, for_ms }: Given & { for_ms: number | null },
  moment: Moment,
): Fact[] {
  const decision = findOpen(state, id, moment);
  refuseOthers(state, decision, who ?? null);
  refuseClaimed(decision, by, moment);
  const { project } = decision;
  const length = for_ms ?? decision.escalation?.def.claim_for_ms ?? CLAIM_FOR_MS;
  checkLength("a claim", length);
  const until_ms = moment.at_ms + length;
  return [{ type: "decision:claimed", id: decision.id, project, by, via, until_ms }];
}

export function snoozeDecision(
  state: Readonly<State>,
  { id, by, who, via, for_ms }: Given & { for_ms: number },
  moment: Moment,
): Fact[] {
  const decision = findOpen(state, id, moment);
  refuseOthers(state, decision, who ?? null);
  refuseClaimed(decision, by, moment);
  checkLength("a snooze", for_ms);
  const until_ms = moment.at_ms + for_ms;
  return [{ type: "decision:snoozed", id: decision.id, project: decision.project, by, via, until_ms }];
}

export function releaseDecision(
  state: Readonly<State>,
  { id, by, who, config }: Omit<Given, "via"> & { config: ReachConfig | null },
  moment: Moment,
): Fact[] {
  const decision = findOpen(state, id, moment);
  refuseOthers(state, decision, who ?? null);
  if (!decision.claimed && !decision.snoozed)
    throw new Refusal(
      "decision.not-claimed",
      `nobody has claimed or snoozed ${decision.id}`,
      `oj decision claim ${decision.id}`,
    );
  return [released(decision, by, config, moment)];
}

/** The time of a claim or a snooze is up. Whoever snoozed it wanted to hear of it again. */
export function pauseEnded(
  state: Readonly<State>,
  { effect, teller }: { effect: EscalateEffect; teller: Teller },
  moment: Moment,
): Fact[] {
  const decision = state.decisions.get(effect.decision_id);
  const pause = decision?.claimed ?? decision?.snoozed;
  if (decision?.state !== "pending" || decision.held || pause?.until_ms !== effect.until_ms) return [];
  const expired = expiryOf(state, decision, moment);
  if (expired) return expired;
  return [
    ...(effect.what === "wake" ? hearAgain(decision, pause.by, teller) : []),
    released(decision, null, teller.config, moment),
  ];
}

/** Whoever has it, has it no more. */
export function released(
  decision: Decision,
  by: string | null,
  config: ReachConfig | null,
  moment: Moment,
): Fact {
  const { id, project } = decision;
  const times = { ...timesAfter(decision, config, moment), ...closesAfter(decision, moment) };
  return { type: "decision:released", id, project, by, ...times };
}

function hearAgain(decision: Decision, by: string, teller: Teller): Fact[] {
  return teller.tell(decision, { names: [by], via: null, reason: "reminder" }).facts;
}

/** What the clock of the level had left when it stopped is left now. */
function timesAfter(decision: Decision, config: ReachConfig | null, { at_ms }: Moment): LevelTimes {
  const { escalation } = decision;
  const from_ms = (decision.claimed ?? decision.snoozed)?.from_ms ?? at_ms;
  const { level, def, remind_at_ms = null, next_at_ms = null } = escalation ?? { level: null, def: null };
  if (level === null || def === null) return { remind_at_ms: null, next_at_ms: null };
  const clock = levelClock(def, level, config, at_ms);
  const later = (at: number | null) =>
    at === null ? null : clock.after(at_ms, clock.between(Math.min(from_ms, at), at));
  return { remind_at_ms: later(remind_at_ms), next_at_ms: later(next_at_ms) };
}

/** A person had it: the time in which nobody answers begins anew. */
function closesAfter({ closing }: Decision, { at_ms }: Moment): { closes_at_ms?: number } {
  return closing ? { closes_at_ms: at_ms + closing.after_ms } : {};
}

function checkLength(what: string, ms: number): void {
  if (ms > 0 && ms <= LONGEST_CLAIM_MS) return;
  throw new Refusal(
    "request.invalid",
    `${what} lasts more than 0 and at most ${formatDuration(LONGEST_CLAIM_MS)}`,
    "like --for 30m",
  );
}

/** Whoever is on it stays on it until somebody says otherwise: it would look like nobody's. */
function refuseClaimed({ id, claimed }: Decision, by: string, { at_ms }: Moment): void {
  if (!claimed || claimed.by === by) return;
  const left = roughly(Math.max(1000, claimed.until_ms - at_ms));
  throw new Refusal(
    "decision.claimed",
    `${claimed.by} is on ${id}, for another ${left}`,
    `oj decision release ${id}`,
  );
}
