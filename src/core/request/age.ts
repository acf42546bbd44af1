/**
 * What happens to a decision only because time goes by: it becomes stale, and a request that nobody answers expires if
 * the person's settings say so. What `oj decision auto-close` does is in `auto-close.ts`; a deadline, in `reach/`.
 */
import type { Decision } from "../model/decision-types.ts";
import type { AgeEffect } from "../model/effects.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import type { Fresh } from "../model/state/state-types.ts";
import { AUTO_CLOSE, noAnswerWithin } from "./auto-close.ts";
import { endRequest } from "./outcome.ts";

/** When it becomes stale. An answer on hold is an answer: nothing more happens then. */
export function staleEffect({ id: decision_id, project, created_at_ms }: Fresh, after_ms: number): AgeEffect {
  const until_ms = created_at_ms + after_ms;
  return { type: "mark-stale", decision_id, project, from_ms: created_at_ms, until_ms };
}

export function closingEffects(decision: Decision): AgeEffect[] {
  const { id: decision_id, project } = decision;
  const closing = closingOf(decision);
  if (!closing) return [];
  return [{ type: "auto-close", decision_id, project, from_ms: closing.from_ms, until_ms: closing.at_ms }];
}

/** A deadline with a default says better what happens, and while a person is on it nothing does. */
export function closingOf(decision: Decision): Decision["closing"] | null {
  const { state, held, claimed, snoozed, deadline_at_ms, default: key, closing } = decision;
  if (state !== "pending" || held || claimed || snoozed) return null;
  return deadline_at_ms !== undefined && key !== undefined ? null : (closing ?? null);
}

/** Its time has come, whatever the clock says now: somebody may have set the clock back. */
export function grownOld(state: Readonly<State>, effect: AgeEffect, moment: Moment): Fact[] {
  const decision = state.decisions.get(effect.decision_id);
  if (decision?.state !== "pending" || decision.held) return [];
  const { id, project, stale_since_ms } = decision;
  if (effect.type === "mark-stale")
    return stale_since_ms === undefined
      ? [{ type: "decision:stale", id, project, since_ms: effect.until_ms }]
      : [];
  const closing = closingOf(decision);
  if (closing?.at_ms !== effect.until_ms) return [];
  const draft = draftOn(state, moment);
  const reason = noAnswerWithin(closing.after_ms);
  endRequest(draft, decision, { state: "expired", reason, by: AUTO_CLOSE });
  return draft.facts;
}
