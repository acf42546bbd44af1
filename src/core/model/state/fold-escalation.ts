/** How facts change the escalation of a decision, its deadline, and who is on it. */
import type { Closing, Decision } from "../decision-types.ts";
import type { DecisionFact, Stamp } from "../events.ts";
import type { Changing } from "../fixed.ts";
import type { Escalation, EscalationDef, EscalationFact } from "../reach-types.ts";
import { noteTimes } from "./fold-pending.ts";
import type { Folding } from "./state-types.ts";

export function newEscalation(def: EscalationDef, since_ms: number): Escalation {
  const nothing = { remind_at_ms: null, next_at_ms: null };
  return { def, level: null, round: 0, since_ms, ...nothing, is_over: false };
}

export function foldEscalation(state: Folding, fact: EscalationFact & Stamp): void {
  const decision = state.decisions.open(fact.id);
  if (!decision) return;
  foldInto(decision, fact);
  noteTimes(state, decision);
}

function foldInto(decision: Changing<Decision>, fact: EscalationFact & Stamp): void {
  switch (fact.type) {
    case "escalation:given":
      decision.escalation = { ...newEscalation(fact.escalation, fact.at_ms), is_given: true };
      if (fact.deadline_at_ms !== null) decision.deadline_at_ms = fact.deadline_at_ms;
      if (fact.default !== null) decision.default = fact.default;
      return;
    case "escalation:advanced":
      if (!decision.escalation) return;
      decision.escalation = {
        ...decision.escalation,
        level: fact.level,
        round: fact.round,
        since_ms: fact.at_ms,
        remind_at_ms: fact.remind_at_ms,
        next_at_ms: fact.next_at_ms,
        is_over: fact.level === null,
      };
      return;
    case "escalation:reminded":
      if (decision.escalation) decision.escalation = { ...decision.escalation, remind_at_ms: null };
      return;
    default:
      return; // a fact from a newer version
  }
}

type PauseFact = Extract<
  DecisionFact,
  { type: "decision:claimed" | "decision:snoozed" | "decision:released" }
>;

export function foldPause(decision: Changing<Decision>, fact: PauseFact & Stamp): void {
  const before = decision.claimed ?? decision.snoozed;
  delete decision.claimed;
  delete decision.snoozed;
  if (fact.type === "decision:released") {
    const { remind_at_ms, next_at_ms, at_ms: since_ms } = fact;
    const { escalation } = decision;
    if (escalation) decision.escalation = { ...escalation, remind_at_ms, next_at_ms, since_ms };
    if (fact.closes_at_ms !== undefined) restartClosing(decision, fact.at_ms);
    return;
  }
  const { by, via, until_ms } = fact;
  const from_ms = before?.from_ms ?? fact.at_ms; // the clock has stood still since the first of several
  decision[fact.type === "decision:claimed" ? "claimed" : "snoozed"] = { by, via, from_ms, until_ms };
}

/** It waits for people from now on: whoever is told first is told (again), and the clocks begin. */
export function beginAgain(decision: Changing<Decision>, at_ms: number): void {
  const { escalation, blocks } = decision;
  if (!escalation || blocks.length > 0) return;
  const { is_given } = escalation;
  decision.escalation = { ...newEscalation(escalation.def, at_ms), ...(is_given ? { is_given } : {}) };
}

export function closingFrom(after_ms: number, from_ms: number): Closing {
  return { after_ms, from_ms, at_ms: from_ms + after_ms };
}

/** A person had it: the time in which nobody answers begins anew. */
export function restartClosing(decision: Changing<Decision>, at_ms: number): void {
  if (decision.closing) decision.closing = closingFrom(decision.closing.after_ms, at_ms);
}

/** What a settled decision no longer waits for. */
export function stopWaiting(decision: Changing<Decision>): void {
  delete decision.claimed;
  delete decision.snoozed;
  delete decision.stale_since_ms;
  delete decision.closing;
  const { escalation } = decision;
  if (escalation)
    decision.escalation = { ...escalation, remind_at_ms: null, next_at_ms: null, is_over: true };
}
