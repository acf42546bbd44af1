/**
 * Which decisions wait for a time, so that a start needn't read every pending decision to know what is due some time.
 */
import type { Decision } from "../decision-types.ts";
import type { DecisionId } from "../ids.ts";
import type { Folding } from "./state-types.ts";

/** Keeps track of whether something happens to this decision if nobody answers. */
export function noteTimes({ fresh, timed }: Pick<Folding, "fresh" | "timed">, decision: Decision): void {
  const { id, project, created_at_ms, state } = decision;
  const isPending = state === "pending";
  if (!isPending || decision.stale_since_ms !== undefined) fresh.delete(id);
  else if (!fresh.has(id)) fresh.set(id, { id, project, created_at_ms });
  if (isPending && waits(decision)) timed.add(id);
  else timed.delete(id);
}

export function forgetTimes({ fresh, timed }: Pick<Folding, "fresh" | "timed">, id: DecisionId): void {
  fresh.delete(id);
  timed.delete(id);
}

function waits({ deadline_at_ms, escalation, claimed, snoozed, closing }: Decision): boolean {
  return [deadline_at_ms, escalation, claimed, snoozed, closing].some((it) => it !== undefined);
}
