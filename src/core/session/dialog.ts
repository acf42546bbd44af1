/**
 * Dialogs of a session that oj did not start, as decisions. The dialog stays in the session's own terminal, where it
 * may be answered first. We answer through the open hook, and have no other way to reach it.
 */

import { acknowledge, deliver } from "../decision/decision.ts";
import type { Prompt } from "../model/agent-types.ts";
import { exactAction } from "../model/agent-types.ts";
import type { Decision, Option } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, MachineName, Moment } from "../model/ids.ts";
import { sessionRecipient } from "../model/queue-types.ts";
import { draftOn } from "../model/state/draft.ts";
import { homeOf } from "../model/state/home.ts";
import type { State } from "../model/state/state.ts";
import { enqueue } from "../outbox/queue.ts";
import { endRequest } from "../request/outcome.ts";
import { repeated, sameDialog } from "../request/repeat.ts";
import { sessionName } from "../request/requester.ts";
import { DISMISS, optionsFor } from "../template/options.ts";
import { shortened } from "../text/outcome-words.ts";
import { promptTitle } from "../text/title.ts";
import { sessionContext } from "./context.ts";
import type { Reporter } from "./turn.ts";
import { foundSession } from "./turn.ts";

interface Asked {
  prompt: Prompt;
  /** What the session said before it. */
  last_message: string;
  /** Its terminal does not show the dialog while we wait for an answer. */
  isHidden: boolean;
}

/** The plan or the tool call itself is the decision's action. */
export function askDialog(
  state: Readonly<State>,
  from: Reporter,
  { prompt, last_message, isHidden }: Asked,
  moment: Moment,
): Fact[] {
  const { session, project } = from;
  const name = sessionName(session);
  const { kind, questions } = prompt;
  const same = sameDialog(state, { agent_id: null, session }, prompt);
  if (same) return [...foundSession(state, from), repeated(same, moment.id("run"))];
  return [
    ...foundSession(state, from),
    {
      type: "decision:created",
      id: moment.id("dec"),
      project,
      owner: { kind: "requester", id: session, name },
      source: kind,
      title: promptTitle(prompt, from.cwd),
      context: sessionContext(from, isHidden ? HIDDEN : SHOWN, last_message),
      fields: {},
      urgency: "medium",
      options: optionsFor(kind, prompt, "requester").flatMap(offered),
      questions,
      action: kind === "question" ? null : exactAction(prompt),
      requested_by: name,
      session,
      template: null,
      prompt_key: prompt.key,
      blocks: [],
      parent: null,
      predecessor: null,
      supersedes: null,
      created_at_ms: moment.at_ms,
    },
  ];
}

const SHOWN = "Its own terminal shows the dialog as well.";
const HIDDEN = "Its own terminal shows the dialog only once this is dismissed, or its time is over.";

/** The dialogs were answered in the session's terminal, or can only be answered there from now on. */
export function endDialogs(
  state: Readonly<State>,
  ids: readonly DecisionId[],
  outcome: { reason: string; by: string },
  moment: Moment,
): Fact[] {
  const draft = draftOn(state, moment);
  for (const id of ids) {
    const decision = state.decisions.get(id);
    if (decision?.state === "pending") endRequest(draft, decision, { state: "withdrawn", ...outcome });
  }
  return draft.facts;
}

/** The open hook has the answer as its response. An approval has no room for words: they follow through the queue. */
export function replyGiven(
  state: Readonly<State>,
  { id, session, adds, by }: { id: DecisionId; session: string; adds: string | null; by: string },
  moment: Moment,
): Fact[] {
  const project = state.decisions.get(id)?.project;
  if (project === undefined) return [];
  const delivered = deliver(state, { id }, moment);
  if (adds === null) return delivered;
  const text = shortened(adds, MAX_REMARK, id);
  const recipient = sessionRecipient(session);
  const remark = { id: `${id}-remark`, recipient, project, kind: "message", decision_id: null } as const;
  return [...delivered, ...enqueue(state, { ...remark, text, from: by })];
}

/** The response went out, or the hook was already gone: nobody will come back for it. */
export function replyEnded(
  state: Readonly<State>,
  { id, arrived }: { id: DecisionId; arrived: boolean },
  moment: Moment,
): Fact[] {
  if (arrived) return acknowledge(state, { id }, moment);
  const decision = state.decisions.get(id);
  if (decision?.delivery.state !== "delivered") return [];
  const error = "the session's hook was gone before it got the answer";
  return [{ type: "decision:undelivered", id, project: decision.project, error }];
}

/** The client takes no such answer from outside: nobody gets it, and the dialog is in the session's terminal. */
export function replyUnfit(state: Readonly<State>, { id }: { id: DecisionId }): Fact[] {
  const project = state.decisions.get(id)?.project;
  if (project === undefined) return [];
  const error = "its client can't take this answer from oj: the dialog is left to the session's terminal";
  return [{ type: "decision:undelivered", id, project, error }];
}

const MAX_REMARK = 4000;

/** After a crash: the hooks that were open are gone, and none of them will come back. */
export function lostDialogs(state: Readonly<State>, machine: MachineName | null, moment: Moment): Fact[] {
  const isOurs = (id: DecisionId) => machine === null || homeOf(state, id) === machine;
  const open = [...state.pending].filter((id) => isDialog(state.decisions.get(id)) && isOurs(id));
  const reason = "the daemon was restarted: it can only be answered in the session's terminal";
  return endDialogs(state, open, { reason, by: "oj" }, moment);
}

function isDialog(decision: Decision | undefined): boolean {
  const isOwn = decision !== undefined && decision.session !== null;
  return isOwn && decision.source !== "request" && decision.source !== "idle";
}

export const LEAVE: Option = { ...DISMISS, description: "Leave it to the terminal" };

/** We run nothing here that could be cancelled, and a hook can't clear a context. */
function offered(option: Option): Option[] {
  const { action } = option;
  if (action.type === "cancel") return [LEAVE];
  if (action.type === "dismiss" || (action.type === "accept" && action.mode === "clear")) return [];
  return [option];
}
