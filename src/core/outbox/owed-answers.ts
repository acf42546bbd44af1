/**
 * Answers that were given but have not reached whoever waits for them: owed to an agent of ours, or waiting in a queue.
 */
import type { Decision } from "../model/decision-types.ts";
import type { DecisionId } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";

/** Oldest first. An answer that a script fetches in its own time is never late, so it is not listed. */
export function owedAnswers(state: Readonly<State>): Decision[] {
  const ids = new Set<DecisionId>();
  for (const { outbox } of state.agents.values())
    for (const { decision_id } of outbox) if (decision_id !== null) ids.add(decision_id);
  for (const { entries } of state.queues.values())
    for (const { decision_id } of entries) if (decision_id) ids.add(decision_id);
  return [...ids]
    .flatMap((id) => state.decisions.get(id) ?? [])
    .filter((it) => it.answer !== null && it.delivery.state === "owed")
    .sort((a, b) => (a.answer?.resolved_at_ms ?? 0) - (b.answer?.resolved_at_ms ?? 0));
}
