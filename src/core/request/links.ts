/** How decisions follow one another: what a request may follow, and what must follow an answer. */

import type { Decision } from "../model/decision-types.ts";
import { successorOf } from "../model/decision-types.ts";
import type { DecisionId } from "../model/ids.ts";
import { isBeadId } from "../model/mirror-types.ts";
import { matchId } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import { followUp } from "../text/resolve-hint.ts";
import { isOwn, pendingRequestsOf } from "./own-requests.ts";
import type { RequestInput, RequestProblem } from "./types.ts";

type Asker = Pick<RequestInput, "project" | "requester">;

/** The decisions that this text may mean to the asker: those of the project or, for an agent, those that concern it. */
export function linkable(state: Readonly<State>, { project, requester }: Asker, text: string): DecisionId[] {
  const agent = requester.agent_id === null ? undefined : state.agents.get(requester.agent_id);
  return matchId(state.decisions.keys(), "dec", text).filter((id) => {
    const decision = state.decisions.get(id);
    if (decision?.project !== project) return false;
    return !agent || decision.agent_id === agent.id || decision.owner.id === agent.owner.id;
  });
}

/** Whether this can only mean a bead. An id of ours is never taken for one. */
export function isBead({ mirrored }: Pick<RequestInput, "mirrored">, text: string | null): text is string {
  return mirrored === true && text !== null && isBeadId(text);
}

function linkProblem(
  state: Readonly<State>,
  input: Asker,
  flag: string,
  text: string | null,
): RequestProblem[] {
  if (text === null) return [];
  const found = linkable(state, input, text);
  if (found.length === 1) return [];
  if (found.length === 0)
    return [
      {
        code: "decision.invalid",
        message: `${flag} ${text} is not a decision in ${input.project}`,
        hints: ["oj decision list --all"],
      },
    ];
  return [
    {
      code: "decision.invalid",
      message: `${flag} ${text} matches ${found.length} decisions`,
      hints: [found.slice(0, 10).join("  ")],
    },
  ];
}

/** A parent is a decision or, where decisions are mirrored as beads, a bead. */
export function parentProblem(
  state: Readonly<State>,
  input: Asker & Pick<RequestInput, "parent" | "mirrored">,
): RequestProblem[] {
  const { parent } = input;
  if (isBead(input, parent) && linkable(state, input, parent).length === 0) return [];
  return linkProblem(state, input, "--parent", parent);
}

/** Only an answer can be followed: if nobody has decided, or nobody will, there is nothing to build on. */
export function predecessorProblem(
  state: Readonly<State>,
  input: Asker & Pick<RequestInput, "predecessor" | "template" | "runbook">,
): RequestProblem[] {
  const { predecessor, template } = input;
  const found = predecessor === null ? [] : linkable(state, input, predecessor);
  const due = demandsOn(state, input);
  if (due.length > 0 && !due.some((it) => found[0] === it.id))
    return due.slice(-1).map((it) => demand(it, true));
  if (predecessor === null) return [];
  const decision = found.length === 1 ? state.decisions.get(found[0] as DecisionId) : undefined;
  if (!decision) return linkProblem(state, input, "--predecessor", predecessor);
  const { id } = decision;
  if (decision.state !== "resolved") {
    const [message, hint] = unanswered(decision);
    return [{ code: "decision.predecessor", message, hints: [hint], details: { predecessor: id } }];
  }
  const successor = successorOf(decision);
  return successor === null || successor === template ? [] : [demand(decision)];
}

/**
 * The answers that this agent or script must follow up before it asks anything else: those without a follower, and the
 * one whose follower this request would replace. A template that the project no longer has is not demanded.
 */
function demandsOn(
  state: Readonly<State>,
  { requester, project, runbook }: Asker & Pick<RequestInput, "runbook">,
): Decision[] {
  if (!requester.is_agent) return [];
  const replaced = pendingRequestsOf(state, requester, project).map((it) => it.predecessor);
  return [...state.unfollowed, ...replaced].flatMap((id) => {
    const decision = id === null ? undefined : state.decisions.get(id);
    const successor = decision && isOwn(decision, requester, project) ? successorOf(decision) : null;
    return decision && runbook.templates.some((it) => it.name === successor) ? [decision] : [];
  });
}

function demand(decision: Decision, isPassedOver = false): RequestProblem {
  const { id, answer } = decision;
  const successor = successorOf(decision) ?? "";
  const answered = `"${answer?.labels.join(", ")}" on ${id}`;
  return {
    code: "decision.predecessor",
    message: isPassedOver
      ? `${answered} must be followed by a request with template "${successor}" before anything else is asked`
      : `after ${answered}, a request must use template "${successor}"`,
    hints: [followUp(id, successor)],
    details: { predecessor: id, successor },
  };
}

function unanswered(decision: Decision): [message: string, hint: string] {
  const { id, ended, superseded_by } = decision;
  const again = "ask without --predecessor";
  switch (decision.state) {
    case "pending":
      return [`--predecessor ${id} is still pending`, `oj decision await ${id}`];
    case "superseded":
      return [
        `--predecessor ${id} was replaced${superseded_by ? ` by ${superseded_by}` : ""}`,
        superseded_by ? `--predecessor ${superseded_by}` : again,
      ];
    case "dismissed":
      return [`--predecessor ${id} was dismissed: nothing was decided`, again];
    case "expired":
      return [`--predecessor ${id} expired${ended ? ` (${ended.reason})` : ""}: nothing was decided`, again];
    default:
      return [
        `--predecessor ${id} was ${decision.state}${ended ? ` (${ended.reason})` : ""}: nothing was decided`,
        again,
      ];
  }
}
