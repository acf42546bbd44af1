/**
 * Parcels for an agent: put into its outbox, delivered, received. Each is owed until the agent's side proves that it
 * arrived.
 */
import type { Agent, Parcel } from "../model/agent-types.ts";
import { isHung } from "../model/agent-types.ts";
import type { AgentId, DecisionId } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { clipped } from "../text/words.ts";
import { remarkOf, words } from "./reply.ts";
import { isTask } from "./waiting.ts";

/** Puts something into the agent's outbox. A decision's parcel carries the decision's id, so it can't be made twice. */
export function owe(draft: Draft, id: AgentId, input: Omit<Parcel, "id" | "state" | "attempts">): void {
  const { project } = draft.agent(id);
  const parcel: Parcel = {
    ...input,
    id: input.decision_id ?? draft.moment.id("dlv"),
    state: "owed",
    attempts: 0,
  };
  draft.emit({ type: "agent:owed", id, project, parcel });
}

/**
 * The adapter has delivered it. `told`: a hook's response carried the words, or the agent was started with them. An
 * agent that has exited meanwhile must be told again.
 */
export function parcelDelivered(draft: Draft, id: AgentId, parcel_id: string, told?: true): void {
  if (draft.agent(id).status !== "exited") arrived(draft, id, parcel_id, told);
}

/**
 * The dialog was answered, by a hook or by keys. If the agent's side was faster and only words are left of the answer,
 * this does not deliver them.
 */
export function replyDelivered(draft: Draft, id: AgentId, parcel_id: string): void {
  if (draft.agent(id).outbox.some((it) => it.id === parcel_id && it.reply !== null))
    parcelDelivered(draft, id, parcel_id);
}

function arrived(draft: Draft, id: AgentId, parcel_id: string, told?: true): void {
  const agent = draft.agent(id);
  const parcel = agent.outbox.find((it) => it.id === parcel_id);
  if (parcel?.state !== "owed") return;
  const attempt = parcel.attempts + 1;
  const how = told ? { told } : {};
  draft.emit({ type: "agent:delivered", id, project: agent.project, parcel_id, attempt, ...how });
  const decision_id = answered(draft, parcel);
  // words said with an answer come after it, so its delivery may already be on record
  const isOnRecord =
    parcel.beside !== undefined &&
    decision_id !== null &&
    draft.state.decisions.get(decision_id)?.delivery.state === "delivered";
  if (decision_id && !isOnRecord)
    draft.emit({ type: "decision:delivered", id: decision_id, project: agent.project, attempt });
}

/**
 * A parcel that was recorded as delivered did not arrive: an earlier daemon only believed it had said the words, or a
 * connection broke.
 */
export function doubtParcel(draft: Draft, id: AgentId, parcel_id: string): void {
  const { outbox, project } = draft.agent(id);
  if (outbox.some((it) => it.id === parcel_id && it.state === "delivered"))
    draft.emit({ type: "agent:unsure", id, project, parcel_id });
}

/** The agent's side has shown that it has the parcel. */
export function parcelReceived(draft: Draft, id: AgentId, parcel_id: string): void {
  arrived(draft, id, parcel_id);
  const agent = draft.agent(id);
  const parcel = agent.outbox.find((it) => it.id === parcel_id);
  if (!parcel) return;
  draft.emit({ type: "agent:received", id, project: agent.project, parcel_id });
  const decision_id = answered(draft, parcel);
  if (decision_id) draft.emit({ type: "decision:acknowledged", id: decision_id, project: agent.project });
}

/** The dialog has the answer. If the dialog could not take what was said with it, those words are still owed. */
export function replyTaken(draft: Draft, id: AgentId, parcel_id: string): void {
  const agent = draft.agent(id);
  const { reply, shown } = agent.outbox.find((it) => it.id === parcel_id) ?? {};
  if (!reply) return; // the agent's side was faster
  const text = shown === undefined ? remarkOf(reply, agent.kind) : null; // otherwise it was typed beside the answer
  if (text === null) return parcelReceived(draft, id, parcel_id);
  arrived(draft, id, parcel_id);
  draft.emit({ type: "agent:replied", id, project: agent.project, parcel_id, text });
}

/**
 * The dialog that the parcel is for can't get it: as a rule, because somebody else answered. Whoever answered here must
 * know.
 */
export function parcelMissed(
  draft: Draft,
  id: AgentId,
  parcel: Parcel,
  error = "the dialog was answered in the terminal first",
): void {
  const { project } = draft.agent(id);
  draft.emit({ type: "agent:missed", id, project, parcel_id: parcel.id });
  const decision_id = answered(draft, parcel);
  if (decision_id) draft.emit({ type: "decision:undelivered", id: decision_id, project, error });
}

/** The agent's work ended before it got these: nobody is left to tell, and whoever answered must know. */
export function giveUpParcels(draft: Draft, id: AgentId): void {
  const agent = draft.agent(id);
  const { outbox, project } = agent;
  for (const parcel of outbox) {
    const decision_id = answered(draft, parcel);
    if (parcel.decision_id === null && parcel.state === "owed" && !isTask(agent, parcel))
      draft.emit({
        type: "agent:noted",
        id,
        project,
        note: `${UNHEARD}: ${clipped(parcel.text.replace(/\s+/g, " ").trim(), LONGEST_NOTE)}`,
      });
    if (decision_id)
      draft.emit({
        type: "decision:undelivered",
        id: decision_id,
        project,
        error: parcel.beside === undefined ? OVER : besideOver(draft, decision_id),
      });
  }
}

const OVER = "the agent's work was over before it got this";
const UNHEARD = "its work was over before it was told";
const LONGEST_NOTE = 200;

/** The dialog has the answer (see `replyTaken`), and that must not sound as if it had not. */
function besideOver({ state }: Draft, id: DecisionId): string {
  const answer = state.decisions.get(id)?.answer;
  return answer?.input !== undefined && words(answer) === null
    ? "only the word that a person changed it: the change itself arrived, and the agent's work was over before it read that"
    : "only the message with it: the answer itself arrived, and the agent's work was over before it read the rest";
}

/**
 * The decision whose answer the parcel carries. A parcel may also say that a request was withdrawn; that is not an
 * answer.
 */
function answered(draft: Draft, { decision_id }: Parcel): DecisionId | null {
  const decision = decision_id === null ? undefined : draft.state.decisions.get(decision_id);
  return decision?.answer ? decision.id : null;
}

/** Compares only the words: terminals and clients change blanks and line ends. */
export function sameText(a: string, b: string): boolean {
  return normal(a) === normal(b);
}

export function hasText(whole: string, part: string): boolean {
  return normal(part) !== "" && normal(whole).includes(normal(part));
}

/** Ignores blanks, and characters that no terminal passes on as text: a paste loses the marks that would end it. */
function normal(text: string): string {
  return text.replace(UNTYPED, "").replace(/\s+/g, " ").trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose
const UNTYPED = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;

/** Whether a person has sent it words that it has not been told yet. */
export function hasMessage({ outbox }: Agent): boolean {
  return outbox.some(({ sent, state }) => sent === true && state === "owed");
}

/** Tells a live agent to continue; restarts one that is dead or hangs with the same words. */
export function sendBack(draft: Draft, id: AgentId, text: string, reason: string): void {
  const agent = draft.agent(id);
  owe(draft, id, { decision_id: null, prompt_key: null, reply: null, text });
  if (agent.status === "exited" || isHung(agent))
    draft.emit({ type: "agent:restarting", id, project: agent.project, reason });
}
