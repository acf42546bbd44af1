/** Decisions that were settled while the daemon had not yet looked who hears of them, just before it died. */
import type { Decision } from "../../core/model/decision-types.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { Decisions } from "../../core/model/state/state-types.ts";

/** So many that were asked last are looked at: who hears of a decision is settled within moments. */
const LAST = 100;
const MOMENTS_MS = 5000;

export function unheard(decisions: Pick<Decisions, "keys" | "peek">): DecisionId[] {
  const last = [...decisions.keys()].slice(-LAST).flatMap((id) => decisions.peek(id) ?? []);
  const end = Math.max(...last.map(lastChange));
  return last
    .filter((it) => it.state !== "pending" && !it.reach && lastChange(it) >= end - MOMENTS_MS)
    .map((it) => it.id);
}

function lastChange({ created_at_ms, answer, ended }: Decision): number {
  return answer?.resolved_at_ms ?? ended?.at_ms ?? created_at_ms;
}
