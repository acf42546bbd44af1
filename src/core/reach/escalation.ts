/**
 * What happens while nobody answers: levels of people who are told one after another, a reminder within each, and
 * rounds. A level at which nobody can be reached is passed over at once. What a deadline does is in `deadline.ts`.
 */
import type { Decision } from "../model/decision-types.ts";
import { isBlocking } from "../model/decision-types.ts";
import type { Effect, EscalateEffect } from "../model/effects.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, Moment } from "../model/ids.ts";
import type { Escalation, EscalationDef, LevelTimes } from "../model/reach-types.ts";
import type { State } from "../model/state/state.ts";
import { defaultOption } from "../template/overdue.ts";
import type { ReachConfig } from "./config-types.ts";
import { expiryOf } from "./deadline.ts";
import { levelClock } from "./level-clock.ts";
import type { Telling } from "./plan.ts";

/** How people are told. */
export interface Teller {
  config: ReachConfig | null;
  tell(decision: Decision, telling: Telling): Told;
}

export interface Told {
  /** The messages that are owed for it; none to whoever is told of it with what waits for them already. */
  facts: Fact[];
  /** Whether any of these people can be reached. */
  isReached: boolean;
}

export const NOBODY_TOLD: Told = { facts: [], isReached: false };

/** What is due some time for a decision that waits. An answer on hold is an answer: nothing more happens then. */
export function escalationEffects(decision: Decision): Effect[] {
  const { id: decision_id, project, state, held, escalation, claimed, snoozed, created_at_ms } = decision;
  if (state !== "pending" || held) return [];
  const effects: Effect[] = [];
  if (decision.deadline_at_ms !== undefined && decision.default !== undefined)
    effects.push({
      type: "expire",
      decision_id,
      project,
      from_ms: created_at_ms,
      until_ms: decision.deadline_at_ms,
    });
  const due = (what: EscalateEffect["what"], from_ms: number, until_ms: number) =>
    effects.push({ type: "escalate", what, decision_id, project, from_ms, until_ms });
  const pause = claimed ?? snoozed;
  if (pause) due(claimed ? "release" : "wake", pause.from_ms, pause.until_ms);
  else if (escalation && !escalation.is_over) {
    const { level, since_ms, remind_at_ms, next_at_ms } = escalation;
    if (level === null) due("begin", since_ms, since_ms);
    else if (!isBlocking(decision))
      return effects; // nobody is pressed for what nothing waits for
    else if (remind_at_ms !== null) due("remind", since_ms, remind_at_ms);
    else if (next_at_ms !== null) due("next", since_ms, next_at_ms);
  }
  return effects;
}

/** A route names an escalation for a decision that has none of its own. */
export function giveEscalation(
  state: Readonly<State>,
  { id, escalation }: { id: DecisionId; escalation: EscalationDef },
): Fact[] {
  const decision = state.decisions.get(id);
  if (decision?.state !== "pending" || decision.escalation) return [];
  const { project, created_at_ms, options } = decision;
  const hasOwn = decision.deadline_at_ms !== undefined;
  const deadline_at_ms =
    hasOwn || escalation.deadline_ms === null ? null : created_at_ms + escalation.deadline_ms;
  const hasDeadline = hasOwn || deadline_at_ms !== null;
  const wanted = decision.default === undefined && hasDeadline ? escalation.default : null;
  const chosen = wanted === null ? undefined : defaultOption(options, wanted);
  return [
    {
      type: "escalation:given",
      id,
      project,
      escalation,
      deadline_at_ms,
      default: chosen?.key ?? null,
    },
  ];
}

/**
 * Begins the first level, reminds, or goes on to the next level. Whatever the clock says now, it is due: somebody may
 * have set the clock back. If it is no longer what the decision waits for, nothing happens.
 */
export function escalate(
  state: Readonly<State>,
  { effect, teller }: { effect: EscalateEffect; teller: Teller },
  moment: Moment,
): Fact[] {
  const decision = state.decisions.get(effect.decision_id);
  if (!decision || !isStillDue(decision, effect)) return [];
  const expired = expiryOf(state, decision, moment);
  if (expired) return expired; // after a long sleep nobody is told of what has run out
  const { escalation } = decision;
  if (!escalation) return [];
  if (effect.what === "remind") return remind(decision, escalation, teller);
  return advance(decision, escalation, teller, moment);
}

function isStillDue(decision: Decision, { what, until_ms }: EscalateEffect): boolean {
  return escalationEffects(decision).some(
    (it) => it.type === "escalate" && it.what === what && it.until_ms === until_ms,
  );
}

function remind(decision: Decision, { def, level }: Escalation, teller: Teller): Fact[] {
  const { id, project } = decision;
  const at = level === null ? undefined : def.levels[level];
  if (level === null || !at) return [];
  return [
    ...teller.tell(decision, { names: at.notify, via: at.via, reason: "reminder" }).facts,
    { type: "escalation:reminded", id, project, level },
  ];
}

/** On to the first level at which somebody can be reached; each level is tried once at most. */
function advance(decision: Decision, escalation: Escalation, teller: Teller, { at_ms }: Moment): Fact[] {
  const { id, project } = decision;
  const { def } = escalation;
  const passed: number[] = [];
  const facts: Fact[] = [];
  let { level, round } = escalation;
  for (let tries = 0; tries < def.levels.length; tries++) {
    level = level === null ? 0 : level + 1;
    if (level >= def.levels.length) {
      if (round >= def.repeat) break;
      round += 1;
      level = 0;
    }
    const at = def.levels[level];
    const told = at ? teller.tell(decision, { names: at.notify, via: at.via, reason: "level" }) : NOBODY_TOLD;
    facts.push(...told.facts);
    if (!told.isReached) {
      passed.push(level);
      continue;
    }
    const times = timesOf(def, level, round, teller.config, at_ms);
    return [...facts, { type: "escalation:advanced", id, project, level, round, passed, ...times }];
  }
  const never = { remind_at_ms: null, next_at_ms: null };
  return [...facts, { type: "escalation:advanced", id, project, level: null, round, passed, ...never }];
}

function timesOf(
  def: EscalationDef,
  level: number,
  round: number,
  config: ReachConfig | null,
  at_ms: number,
): LevelTimes {
  const clock = levelClock(def, level, config, at_ms);
  const { remind_ms = null, next_ms = null } = def.levels[level] ?? {};
  const isLast = level === def.levels.length - 1 && round >= def.repeat;
  return {
    remind_at_ms: remind_ms === null ? null : clock.after(at_ms, remind_ms),
    next_at_ms: next_ms === null || isLast ? null : clock.after(at_ms, next_ms),
  };
}
