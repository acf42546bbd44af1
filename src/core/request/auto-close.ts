/**
 * Expires requests that nobody answered for too long, when somebody asks for it. Questions from jobs and from agents'
 * dialogs are never closed like this. Requests that expire by themselves are in `age.ts`.
 */
import type { Decision } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { formatDuration } from "../text/duration.ts";
import { endRequest } from "./outcome.ts";

/** Nobody answered, so this takes the place of a person's name. */
export const AUTO_CLOSE = "auto-close";

export interface AutoClose {
  project: string;
  threshold_ms: number;
  /** When auto-close was asked for. */
  asked_at_ms: number;
}

/** Requests that had waited longer than the threshold when auto-close was asked for, oldest first. */
export function staleRequests(state: Readonly<State>, input: AutoClose): Decision[] {
  const { project, threshold_ms, asked_at_ms } = input;
  return [...state.pending].flatMap((id) => {
    const decision = state.decisions.get(id);
    if (decision?.source !== "request" || decision.project !== project) return [];
    // An answer on hold is an answer.
    const isStale = decision.held === null && asked_at_ms - decision.created_at_ms > threshold_ms;
    return isStale ? [decision] : [];
  });
}

/** How many expire in one call, so that one commit stays small; call again while there are any. */
const AT_ONCE = 200;

export function autoClose(state: Readonly<State>, input: AutoClose, moment: Moment): Fact[] {
  const draft = draftOn(state, moment);
  const reason = noAnswerWithin(input.threshold_ms);
  for (const decision of staleRequests(state, input).slice(0, AT_ONCE)) {
    if (!draft.state.pending.has(decision.id)) continue; // work that another one unblocked has ended it
    endRequest(draft, decision, { state: "expired", reason, by: AUTO_CLOSE });
  }
  return draft.facts;
}

export function noAnswerWithin(ms: number): string {
  return `no answer within ${formatDuration(ms)}`;
}
