/** What a pending decision waits for, as it changes: who is on it, how far its escalation has come, its deadline. */
import type { DecisionView } from "../api/api.ts";
import type { DecisionFact, Stamp } from "../core/model/events.ts";
import type { EscalationFact } from "../core/model/reach-types.ts";

type PauseFact = Extract<
  DecisionFact,
  { type: "decision:claimed" | "decision:snoozed" | "decision:released" }
>;

/** While somebody is on it, its clock stands still. */
export function onPause(known: DecisionView, fact: PauseFact & Stamp): Partial<DecisionView> {
  const { escalation } = known;
  const next_at_ms = fact.type === "decision:released" ? fact.next_at_ms : null;
  const clock = escalation ? { escalation: { ...escalation, next_at_ms } } : {};
  if (fact.type === "decision:released")
    return { claimed: null, snoozed: null, closes_at_ms: fact.closes_at_ms ?? null, ...clock };
  const { by, via, until_ms } = fact;
  const from_ms = (known.claimed ?? known.snoozed)?.from_ms ?? fact.at_ms; // since the first of several
  const pause = { by, via, from_ms, until_ms };
  const isClaim = fact.type === "decision:claimed";
  const pauses = { claimed: isClaim ? pause : null, snoozed: isClaim ? null : pause };
  return { ...pauses, closes_at_ms: null, ...clock };
}

export function onEscalation(known: DecisionView, fact: EscalationFact): Partial<DecisionView> {
  switch (fact.type) {
    case "escalation:given": {
      const { escalation, deadline_at_ms, default: key } = fact;
      const { name, levels } = escalation;
      return {
        escalation: { name, level: null, levels: levels.length, round: 0, next_at_ms: null },
        deadline_at_ms: deadline_at_ms ?? known.deadline_at_ms,
        default: key ?? known.default,
      };
    }
    case "escalation:advanced": {
      const { level, round, next_at_ms } = fact;
      const { escalation } = known;
      return escalation
        ? { escalation: { ...escalation, level: level === null ? null : level + 1, round, next_at_ms } }
        : {};
    }
    default:
      return {}; // a reminder changes nothing that a card says, nor does an event from a newer daemon
  }
}
