/** What follows from what was seen of an agent, from the end of its cooldown or gate, and from resuming it. */

import { stepCancelled } from "../flow/job-flow.ts";
import { hasQuestion, ownerFollows, ownerGoesOn, ownerWaits, withdrawFor } from "../flow/owner.ts";
import type { SignalKind } from "../model/agent-facts.ts";
import type { Prompt, Silence } from "../model/agent-types.ts";
import { endsWithTurn } from "../model/clients.ts";
import { never } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { AgentId, DecisionId, Moment } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { hasText, parcelReceived, replyTaken, sameText, sendBack } from "../outbox/parcel.ts";
import { pendingRequests } from "../request/outcome.ts";
import { promoteIfStill } from "../request/promote.ts";
import { askPerson } from "./ask-person.ts";
import type { CallEnd } from "./dialog.ts";
import { answered, missed, prompted } from "./dialog.ts";
import { askIfLeft } from "./dialog-left.ts";
import { finishOwner } from "./end.ts";
import type { GateOutcome } from "./gate.ts";
import { gateEnded } from "./gate.ts";
import { endsSilence, hangs, stirs } from "./hung.ts";
import { dies, metError, signals, stops } from "./occasion.ts";
import { askIfStill } from "./stands-still.ts";
import { spawned } from "./started.ts";
import { cooled, react } from "./trigger.ts";

/** What was seen of an agent: by a hook, by its process, or on its screen. */
export type Observation =
  | { type: "spawned"; incarnation: number }
  | { type: "conversation"; conversation: string; transcript: string | null }
  | { type: "submitted"; text: string }
  | { type: "worked" }
  | { type: "heard" }
  /** Nothing was printed or reported for `quiet_ms`, which is too long; `stirred` says that something was after all. */
  | ({ type: "hung"; quiet_ms: number; tail: string } & Said)
  | { type: "stirred" }
  | { type: "noted"; note: string }
  /** Expected reports don't arrive; `reports` says that one came after all. */
  | ({ type: "unheard" } & Silence)
  | { type: "reports" }
  | ({ type: "prompted"; prompt: Prompt; tail: string } & Said)
  | ({ type: "answered"; key: string } & CallEnd)
  /** The dialog is gone, and none of our keys went there. */
  | { type: "missed"; key: string }
  | ({ type: "closed"; key: string; tail: string } & Said)
  | { type: "stopped"; last_message: string; tail: string }
  | ({ type: "errored"; kind: string; message: string; tail: string } & Said)
  | ({
      type: "exited";
      incarnation: number;
      code: number | null;
      signal: string | null;
      error: string | null;
      tail: string;
    } & Said)
  | ({ type: "signalled"; signal: SignalKind; message: string | null; tail: string } & Said);

/** The agent's last message, if known. The current turn may have said more than the one before. */
type Said = { last_message?: string };

/** What follows from one observation. Late or repeated ones change nothing. */
export function observe(
  state: Readonly<State>,
  input: { id: AgentId; seen: Observation },
  moment: Moment,
): Fact[] {
  const agent = state.agents.get(input.id);
  if (!agent || agent.status === "ended") return [];
  if (agent.stopping && input.seen.type !== "exited") return []; // its work is over: only its exit still matters
  const draft = draftOn(state, moment);
  if (agent.status === "exited" && isOfTheLiving(input.seen)) {
    if (input.seen.type === "submitted") receiveText(draft, input.id, input.seen.text);
  } else see(draft, input.id, input.seen);
  if (draft.facts.length > 0) askIfStill(draft, input.id);
  return draft.facts;
}

/**
 * Only a live agent does these. If one is reported late, by a hook or from the screen that the agent left, it only
 * tells what the agent had heard.
 */
function isOfTheLiving({ type }: Observation): boolean {
  return ["submitted", "worked", "prompted", "closed", "stopped", "errored", "unheard"].includes(type);
}

function see(draft: Draft, id: AgentId, seen: Observation): void {
  const agent = draft.agent(id);
  const { project } = agent;
  if (endsSilence(seen.type)) stirs(draft, id);
  switch (seen.type) {
    case "spawned":
      return void spawned(draft, id, seen.incarnation);
    case "conversation":
      if (agent.conversation === seen.conversation) return;
      draft.emit({
        type: "agent:conversing",
        id,
        project,
        conversation: seen.conversation,
        transcript: seen.transcript,
      });
      // only a plan accepted with a cleared context starts a new conversation while its dialog is shown
      if (agent.prompt?.kind === "plan") answered(draft, id, agent.prompt.key, { ran: true });
      return;
    case "submitted":
      receiveTold(draft, id);
      receiveReplies(draft, id, seen.text);
      receiveText(draft, id, seen.text);
      return works(draft, id, "the agent carried on by itself");
    case "worked":
      if (agent.status === "idle" || agent.status === "errored")
        works(draft, id, "the agent carried on by itself");
      return;
    case "heard":
      return receiveTold(draft, id);
    case "hung":
      return hangs(draft, id, seen);
    case "stirred":
      return; // that was all it says
    case "noted":
      if (!agent.notes?.includes(seen.note))
        draft.emit({ type: "agent:noted", id, project, note: seen.note });
      return;
    case "unheard": {
      const { off, by } = seen;
      if (agent.silent?.off !== off || agent.silent.by !== by)
        draft.emit({ type: "agent:silent", id, project, off, by });
      return;
    }
    case "reports":
      if (agent.silent) draft.emit({ type: "agent:reporting", id, project });
      return;
    case "prompted":
      return prompted(draft, id, seen.prompt, seen.tail, seen.last_message);
    case "answered":
      return answered(draft, id, seen.key, seen);
    case "missed":
      return missed(draft, id, seen.key);
    case "closed":
      return dialogClosed(draft, id, seen);
    case "stopped":
      return stopped(draft, id, seen.last_message, seen.tail);
    case "errored":
      receiveReplies(draft, id);
      withdrawFor(draft, id, "the agent carried on and hit an error");
      draft.emit({ type: "agent:errored", id, project, kind: seen.kind, message: seen.message });
      if (!endsWithTurn(draft, agent)) react(draft, id, metError(seen, seen.tail, seen.last_message));
      return;
    case "exited":
      return exited(draft, id, seen);
    case "signalled":
      return signalled(draft, id, seen);
    default:
      never(seen);
  }
}

function works(draft: Draft, id: AgentId, reason: string): void {
  const agent = draft.agent(id);
  withdrawFor(draft, id, reason);
  if (agent.status !== "working") draft.emit({ type: "agent:working", id, project: agent.project });
  ownerGoesOn(draft, draft.agent(id));
}

/** The dialog was closed in the terminal without an answer to the tool: the turn is over. */
function dialogClosed(
  draft: Draft,
  id: AgentId,
  { key, tail, last_message }: Extract<Observation, { type: "closed" }>,
): void {
  const agent = draft.agent(id);
  if (agent.prompt?.key !== key || agent.outbox.some((it) => it.prompt_key === key)) return;
  withdrawFor(draft, id, "answered in the terminal");
  stopped(draft, id, last_message || agent.last_message, tail);
}

function stopped(draft: Draft, id: AgentId, last_message: string, tail: string): void {
  const agent = draft.agent(id);
  receiveTold(draft, id);
  receiveReplies(draft, id);
  const asked = agent.status === "working" && hasQuestion(draft, id);
  if (!asked)
    withdrawFor(
      draft,
      id,
      agent.prompt ? "answered in the terminal" : "the agent carried on and stopped again",
    );
  draft.emit({ type: "agent:idle", id, project: agent.project, last_message });
  if (endsWithTurn(draft, agent)) return; // its exit is what counts
  if (asked) return; // its signal or a gate asked in this turn; that question stays, as it says more than "it stopped"
  ownerGoesOn(draft, draft.agent(id));
  const { outbox, cooling } = draft.agent(id);
  if (outbox.length > 0 || agent.gate || cooling) return; // words, a gate or a delayed attempt will follow
  const [request] = pendingRequests(draft, id);
  if (request) return ownerWaits(draft, agent, request.id); // it asked, and waits for the answer
  react(draft, id, stops(draft.agent(id), tail));
}

function exited(draft: Draft, id: AgentId, seen: Extract<Observation, { type: "exited" }>): void {
  const agent = draft.agent(id);
  if (seen.incarnation !== agent.incarnation || agent.status === "exited") return;
  const { project, stopping } = agent;
  const { code, signal, error, tail, last_message: last } = seen;
  const met = agent.status === "errored" ? agent.error : null;
  withdrawFor(draft, id, "the agent exited");
  draft.emit({ type: "agent:exited", id, project, code, signal, error });
  if (stopping === "restart") return;
  if (stopping === "end") {
    draft.emit({ type: "agent:ended", id, project });
    const job =
      agent.owner.kind === "job" && draft.state.jobs.has(agent.owner.id) ? draft.job(agent.owner.id) : null;
    if (job?.cancelling && job.steps.find((it) => it.name === job.step)?.agent_id === id)
      stepCancelled(draft, job.id, job.cancelling);
    return;
  }
  if (endsWithTurn(draft, agent) && met) return react(draft, id, metError(met, tail, last));
  if (endsWithTurn(draft, agent) && code === 0 && goesOnLater(draft, id)) return;
  // exit code 0 means that it is done, unless the runbook says what an exit means
  if (endsWithTurn(draft, agent) && code === 0 && agent.def.on_dead === undefined)
    return signalled(draft, id, { ...seen, type: "signalled", signal: "done", message: null });
  const how = signal ? `killed by ${signal}` : code === null ? "cause unknown" : `exit code ${code}`;
  react(draft, id, dies(error ?? how, tail, last));
}

/** Whether an agent that ends with its turn asked something first: the answer restarts it, at once if already given. */
function goesOnLater(draft: Draft, id: AgentId): boolean {
  const agent = draft.agent(id);
  const { project } = agent;
  const isAnswer = (it: DecisionId | null) =>
    it !== null && draft.state.decisions.get(it)?.source === "request";
  if (agent.outbox.some((it) => isAnswer(it.decision_id))) {
    draft.emit({ type: "agent:restarting", id, project, reason: "what it asked was settled" });
    return true;
  }
  const [request] = pendingRequests(draft, id);
  if (request) ownerWaits(draft, agent, request.id);
  return request !== undefined;
}

function signalled(draft: Draft, id: AgentId, seen: Extract<Observation, { type: "signalled" }>): void {
  const agent = draft.agent(id);
  const { signal, message, tail, last_message } = seen;
  receiveReplies(draft, id);
  draft.emit({ type: "agent:signalled", id, project: agent.project, signal, message });
  if (signal === "fail")
    return finishOwner(draft, agent, { type: "failed", error: message ?? "the agent said that it failed" });
  const occasion = { ...signals(signal, message, tail), last: last_message };
  if (signal === "escalate") return askPerson(draft, id, occasion, null);
  if (!agent.gate) react(draft, id, occasion);
}

/**
 * Marks owed words as received: the parcel with exactly this text or, if the agent was started with several, each one
 * in it.
 */
function receiveText(draft: Draft, id: AgentId, text: string): void {
  const words = draft.agent(id).outbox.filter((it) => it.reply === null);
  const parcel = words.find((it) => sameText(text, it.text));
  const parcels = parcel
    ? [parcel]
    : words.filter((it) => it.state === "delivered" && hasText(text, it.text));
  for (const it of parcels) parcelReceived(draft, id, it.id);
}

/** The agent has read what the responses to its hooks carried. */
function receiveTold(draft: Draft, id: AgentId): void {
  for (const parcel of draft.agent(id).outbox) if (parcel.told) parcelReceived(draft, id, parcel.id);
}

/**
 * The agent did something after its dialog was answered, so it has read the answer. It may be faster than our record of
 * the delivery: then the reason of a No, `said` after it, proves it.
 */
function receiveReplies(draft: Draft, id: AgentId, said: string | null = null): void {
  const { outbox, silent } = draft.agent(id);
  for (const { id: parcel_id, reply, state, text, shown } of outbox) {
    if (reply === null) continue;
    // its dialog was gone, so it is said in words: only they are its receipt
    const isInWords = shown !== undefined && silent == null;
    if (isInWords && (said === null || !sameText(said, text))) continue;
    const reason = reply.type === "deny" ? reply.message : null;
    const isReason = said !== null && reason !== null && sameText(said, reason);
    // what comes after keys is their only receipt
    if (state === "delivered" || reply.type === "keys" || isReason) replyTaken(draft, id, parcel_id);
  }
}

export function agentCooled(state: Readonly<State>, input: { id: AgentId }, moment: Moment): Fact[] {
  if (!state.agents.has(input.id)) return [];
  const draft = draftOn(state, moment);
  cooled(draft, input.id);
  promoteIfStill(draft, input.id);
  return draft.facts;
}

export function agentGateEnded(
  state: Readonly<State>,
  input: GateOutcome & { id: AgentId; run_id: string },
  moment: Moment,
): Fact[] {
  const agent = state.agents.get(input.id);
  if (agent?.gate?.run_id !== input.run_id) return [];
  const draft = draftOn(state, moment);
  gateEnded(draft, input.id, input);
  promoteIfStill(draft, input.id);
  return draft.facts;
}

/**
 * A person resumes a job or crew whose question was dismissed. A dialog takes no words, so it is asked about again, and
 * the person's message is owed until the dialog is answered. Without a dialog, the agent is told to continue.
 */
export function resumeAgent(draft: Draft, id: AgentId, message: string | null): void {
  const { prompt, project } = draft.agent(id);
  draft.emit({ type: "agent:reset", id, project });
  if (prompt === null || message !== null)
    sendBack(draft, id, message ?? "Please continue with your task.", "resumed");
  const said = message === null ? null : ({ quote: "told", text: message } as const);
  if (!askIfLeft(draft, id, said)) ownerFollows(draft, draft.agent(id));
}
