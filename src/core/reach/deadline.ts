/**
 * A deadline that has passed: the default is carried out, as its own outcome. It is never recorded as a person's
 * answer, and whoever asked is told that nobody answered in time.
 */
import { takeDefault } from "../decision/give.ts";
import type { Decision, Option } from "../model/decision-types.ts";
import type { Effect } from "../model/effects.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import { formatDuration } from "../text/duration.ts";

export type ExpireEffect = Extract<Effect, { type: "expire" }>;

/** The deadline is over, whatever the clock says now: somebody may have set the clock back. */
export function expire(state: Readonly<State>, effect: ExpireEffect, moment: Moment): Fact[] {
  const decision = state.decisions.get(effect.decision_id);
  return decision?.deadline_at_ms === effect.until_ms ? (expired(state, decision, moment) ?? []) : [];
}

/** The facts of a decision whose deadline has passed by the clock; null if it has not. */
export function expiryOf(state: Readonly<State>, decision: Decision, moment: Moment): Fact[] | null {
  const { deadline_at_ms } = decision;
  return deadline_at_ms === undefined || deadline_at_ms > moment.at_ms
    ? null
    : expired(state, decision, moment);
}

function expired(state: Readonly<State>, decision: Decision, moment: Moment): Fact[] | null {
  const { default: key, deadline_at_ms, created_at_ms } = decision;
  if (decision.state !== "pending" || decision.held || key === undefined) return null;
  if (deadline_at_ms === undefined) return null;
  const by = `escalation:${decision.escalation?.def.name ?? "deadline"}`;
  const reason = `nobody answered within ${formatDuration(deadline_at_ms - created_at_ms)}`;
  const words = (option: Option) => defaultWords(reason, option);
  return takeDefault(state, decision, { key, by, reason, words }, moment);
}

/** What an agent reads. */
function defaultWords(reason: string, { label, action }: Option): string {
  const goesOn = action.type === "nudge" || action.type === "retry";
  const said = `${reason[0]?.toUpperCase()}${reason.slice(1)}, so "${label}" was chosen by default: no person has decided this.`;
  return goesOn ? `${said} Please continue with your task.` : said;
}
