/** Which options let somebody go on with what the person was shown: those need that the person saw all of it. */
import type { Action } from "../model/decision-types.ts";
import { never } from "../model/errors.ts";

/**
 * Whether choosing it lets an agent or a job go on with what the decision is about. A denial, a cancellation and a reply
 * do not; neither do a nudge and a retry, which approve nothing in particular.
 */
export function letsAct(action: Action): boolean {
  switch (action.type) {
    case "approve":
    case "accept":
    case "keys":
    case "choose":
    case "answer":
    case "continue":
    case "goto":
    case "done":
    case "skip":
      return true;
    case "cancel":
    case "fail":
    case "dismiss":
    case "nudge":
    case "retry":
    case "deny":
    case "other":
    case "reply":
    case "revise":
      return false;
    default:
      return never(action);
  }
}
