/** Requests that nobody answered for too long expire, when somebody asks for it. What jobs and agents' dialogs ask never does. */
import type { Decision } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { formatDuration } from "../text/duration.ts";
import { endRequest } from "./outcome.ts";

/** It is nobody's answer: it has a name of its own. */
export const AUTO_CLOSE = "auto-close";

export interface AutoClose {
  project: string;
  threshold_ms: number;
  /** When it was asked for. */
  asked_at_ms: number;
}

/** Those that had waited for longer than the threshold when it was asked for, oldest first. */
export function staleRequests(state: Readonly<State>, input: AutoClose): Decision[] {
  const { project, threshold_ms, asked_at_ms } = input;
  return [...state.pending].flatMap((id) => {
    const decision = state.decisions.get(id);
    if (decision?.source !== "request" || decision.project !== project) return [];
    // An answer that can still be taken back is an answer.
    const isStale = decision.held === null && asked_at_ms - decision.created_at_ms > threshold_ms;
    return isStale ? [decision] : [];
  });
}

/** Up to so many of them, so that one commit stays small; call again while there are any. */
const AT_ONCE = 200;

export function autoClose(state: Readonly<State>, input: AutoClose, moment: Moment): Fact[] {
  const draft = draftOn(state, moment);
  const reason = `no answer within ${formatDuration(input.threshold_ms)}`;
  for (const decision of staleRequests(state, input).slice(0, AT_ONCE)) {
    if (!draft.state.pending.has(decision.id)) continue; // what another one let go on has ended it
    endRequest(draft, decision, { state: "expired", reason, by: AUTO_CLOSE });
  }
  return draft.facts;
}
