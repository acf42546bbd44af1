/**
 * What is kept about pending decisions so that nobody needs to look through them all: which of them wait for a time, and
 * whose requests they are.
 */
import type { Decision } from "../decision-types.ts";
import type { DecisionId } from "../ids.ts";
import type { Asker, Folding } from "./state-types.ts";

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

export function askerOf({ agent_id, recipient }: Pick<Decision, "agent_id" | "recipient">): Asker | null {
  return agent_id ?? recipient;
}

export function noteAsking({ asking }: Pick<Folding, "asking">, decision: Decision): void {
  const asker = decision.source === "request" ? askerOf(decision) : null;
  if (asker === null) return;
  const ids = asking.get(asker)?.ids ?? [];
  const isThere = ids.includes(decision.id);
  if (isThere === (decision.state === "pending")) return;
  if (!isThere) asking.set(asker, { asker, ids: [...ids, decision.id] });
  else forgetAsking({ asking }, decision);
}

export function forgetAsking(
  { asking }: Pick<Folding, "asking">,
  decision: Pick<Decision, "id" | "agent_id" | "recipient">,
): void {
  const asker = askerOf(decision);
  const ids = (asker !== null && asking.get(asker)?.ids) || [];
  if (asker === null || !ids.includes(decision.id)) return;
  const others = ids.filter((it) => it !== decision.id);
  if (others.length === 0) asking.delete(asker);
  else asking.set(asker, { asker, ids: others });
}
