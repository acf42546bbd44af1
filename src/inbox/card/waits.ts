/** What a pending decision waits for besides an answer: who is on it, when the next people are told, the deadline. */
import type { DecisionView } from "../../api/api.ts";
import type { Urgency } from "../../core/model/runbook.ts";
import { roughly } from "../../core/text/duration.ts";
import { describeAge } from "../../core/text/words.ts";
import { safeLine } from "../../text/safe.ts";

type Waiting = Pick<
  DecisionView,
  | "state"
  | "held"
  | "claimed"
  | "snoozed"
  | "escalation"
  | "deadline_at_ms"
  | "default"
  | "options"
  | "stale_since_ms"
  | "closes_at_ms"
  | "blocking"
>;

/** "for another 25 minutes". */
function untilWords(until_ms: number, now: number): string {
  return `for another ${roughly(Math.max(1000, until_ms - now))}`;
}

/** "ana is on it, for another 25 minutes"; null if nobody is. */
export function claimWords({ state, claimed, snoozed }: Waiting, now: number): string | null {
  if (state !== "pending") return null;
  if (claimed) return `${safeLine(claimed.by)} is on it, ${untilWords(claimed.until_ms, now)}`;
  return snoozed ? `snoozed by ${safeLine(snoozed.by)}, ${untilWords(snoozed.until_ms, now)}` : null;
}

/** "in 4 hours, then by default: Deny"; null if there is no deadline, or it no longer matters. */
export function deadlineWords(decision: Waiting, now: number): string | null {
  const { state, deadline_at_ms, default: key, options } = decision;
  if (state !== "pending" || deadline_at_ms === null) return null;
  const label = options.find((it) => it.key === key)?.label;
  const then = label === undefined ? "it stays pending" : `by default: ${safeLine(label)}`;
  const left = deadline_at_ms - now;
  return left > 0 ? `in ${roughly(left)}, then ${then}` : `passed ${describeAge(-left)}; ${then}`;
}

/** "in 4 hours, without an answer"; null if it stays pending, or a deadline says what happens. */
export function closingWords({ state, closes_at_ms }: Waiting, now: number): string | null {
  if (state !== "pending" || closes_at_ms === null) return null;
  return `in ${roughly(Math.max(1000, closes_at_ms - now))}, without an answer`;
}

/** "for 2 hours now": it has waited longer than it should. */
export function staleWords({ state, stale_since_ms }: Waiting, now: number): string | null {
  if (state !== "pending" || stale_since_ms === null) return null;
  return `for ${roughly(Math.max(1000, now - stale_since_ms))} now`;
}

/** "prod, level 1 of 2, the next in 10 minutes". */
export function escalationWords(decision: Waiting, now: number): string | null {
  const { state, escalation, held } = decision;
  if (state !== "pending" || !escalation) return null;
  const { name, level, levels, round, next_at_ms } = escalation;
  const again = round === 0 ? "" : `, round ${round + 1}`;
  const next = next_at_ms === null ? "" : `, the next in ${roughly(Math.max(1000, next_at_ms - now))}`;
  const isPaused = held !== null || decision.claimed || decision.snoozed || isQuiet(decision);
  const still = next_at_ms === null && isPaused;
  const where = level === null ? "nobody can be told" : `level ${level} of ${levels}`;
  return `${safeLine(name)}, ${where}${again}${next}${still ? ", paused" : ""}`;
}

type Standing = Pick<DecisionView, "state" | "blocking" | "meanwhile" | "promoted">;

/** Nothing waits for the answer yet: whoever asked goes on with other work. */
export function isQuiet({ state, blocking }: Pick<DecisionView, "state" | "blocking">): boolean {
  return state === "pending" && blocking === false;
}

/** How much it may disturb somebody: what blocks nothing waits, whatever its own urgency. */
export function loudnessOf(decision: Pick<DecisionView, "state" | "blocking" | "urgency">): Urgency {
  return isQuiet(decision) ? "low" : decision.urgency;
}

/** What whoever asked goes on with; null if they wait. */
export function meanwhileWords({ state, blocking, meanwhile, promoted }: Standing): string | null {
  if (state !== "pending" || promoted) return null;
  return meanwhile || (blocking === false ? "other work" : null);
}

/** "blocks nothing yet; goes on meanwhile: the tests", "blocks work now: builder has asked again"; empty if neither. */
export function asideNote(decision: Standing): string {
  if (isQuiet(decision))
    return `blocks nothing yet; goes on meanwhile: ${safeLine(meanwhileWords(decision) ?? "")}`;
  const { state, promoted } = decision;
  return state === "pending" && promoted ? `blocks work now: ${safeLine(promoted.reason)}` : "";
}
