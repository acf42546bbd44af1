/** An agent's dialog: it appears, it is answered by us or by somebody else, it goes away. */
import { ownerGoesOn, withdrawFor } from "../flow/owner.ts";
import type { Parcel, Prompt, QuestionAnswer, Reply } from "../model/agent-types.ts";
import type { Fact } from "../model/events.ts";
import type { AgentId, Moment } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { hasText, parcelMissed, replyDelivered, replyTaken } from "../outbox/parcel.ts";
import { editOf } from "../outbox/reply.ts";
import { askIfLeft } from "./dialog-left.ts";
import { prompts } from "./occasion.ts";
import { askIfStill } from "./stands-still.ts";
import { react } from "./trigger.ts";

/** What is known about the end of the tool call that a dialog was about. */
export interface CallEnd {
  /** The tool ran, so it was allowed. */
  ran?: true;
  /** Somebody refused or interrupted it. */
  refused?: true;
  /** Somebody refused it in its dialog, so it never ran. */
  rejected?: true;
  /** Its client never says with what words it was refused: they follow as a message. */
  wordless?: true;
  /** What came of it, if that may be the words of a refusal: a call that failed says no more. */
  result?: string;
  /** The hash of the call as it ran. A person may have changed it. */
  ran_sha256?: string;
  /** The answers that its questions got. */
  answers?: Readonly<Record<string, string>>;
  /** The dialog is gone, and nothing tells how it ended. */
  unseen?: true;
  /** The conversation has gone on without any end of the call, so our No can't have been that end. */
  unended?: true;
}

export function prompted(draft: Draft, id: AgentId, prompt: Prompt, tail: string, last?: string): void {
  const agent = draft.agent(id);
  if (agent.prompt?.key === prompt.key) return;
  withdrawFor(draft, id, "the agent carried on by itself", { only: (key) => key === null });
  draft.emit({ type: "agent:prompted", id, project: agent.project, prompt });
  react(draft, id, prompts(draft, agent, prompt, tail, last));
}

/** The tool that a dialog was about ran or was refused: our answer arrived, or somebody answered in the terminal. */
export function answered(draft: Draft, id: AgentId, key: string, end: CallEnd): void {
  const agent = draft.agent(id);
  const parcel = agent.outbox.find((it) => it.prompt_key === key);
  // a call may be interrupted while it runs with our answer; one refused before our answer went out is not ours
  const isRefused =
    end.rejected === true ||
    (end.refused === true && (parcel?.state === "owed" || takesNoTime(parcel?.reply ?? null)));
  if (parcel?.state === "owed" && end.unseen) parcelMissed(draft, id, parcel, UNSEEN);
  else if (parcel && end.unended) parcelMissed(draft, id, parcel, UNENDED);
  else if (parcel && isOurs(parcel.reply, end, isRefused) && ranChanged(draft, parcel, end))
    replyTaken(draft, id, parcel.id);
  else if (parcel) parcelMissed(draft, id, parcel, isUnknown(parcel, end) ? UNKNOWN : undefined);
  else if (
    !withdrawFor(draft, id, "answered in the terminal", { only: (it) => it === key }) &&
    agent.prompt?.key !== key
  )
    return;
  leaveDialog(draft, id, key);
}

/** Questions and plans are over once they are answered: one that was refused did not get our answer, even if it went out. */
function takesNoTime(reply: Reply | null): boolean {
  return reply?.type === "answers" || reply?.type === "accept";
}

/**
 * Both sides may answer at about the same time, and the first one wins. Where the answers differ, the outcome tells
 * whose it was.
 */
function isOurs(reply: Reply | null, end: CallEnd, isRefused: boolean): boolean {
  const { ran, rejected, wordless, answers, result } = end;
  switch (reply?.type) {
    case "approve":
    case "accept":
      return !isRefused;
    case "deny":
    case "revise":
      if (ran === true) return false;
      if (isRefused && !rejected && !wordless && reply.message !== null) return false; // not with these words
      if (result === undefined) return true;
      return reply.message === null ? rejected === true : isSaidIn(result, reply.message);
    case "answers":
      return !isRefused && reply.answers.every((it) => isGiven(it, answers?.[it.question] ?? result));
    default:
      return true;
  }
}

/** A call that was refused has the reason as its result. With anything else, it was allowed, and failed. */
function isSaidIn(result: string, reason: string): boolean {
  return hasText(result, reason.trim().slice(0, COMPARED));
}

/** A client may cut a long result. */
const COMPARED = 200;

/**
 * Whether a call that a person changed ran as changed. If it ran as it was asked about, somebody allowed that in the
 * terminal. If nobody can tell, it counts as changed only if the change had gone out.
 */
function ranChanged(draft: Draft, { reply, state, decision_id }: Parcel, { ran_sha256 }: CallEnd): boolean {
  if (editOf(reply) === null) return true;
  const decision = decision_id === null ? undefined : draft.state.decisions.get(decision_id);
  if (ran_sha256 === undefined) return state === "delivered";
  // of a plan, only the text that was accepted counts: a client may have written it in another way
  if (reply?.type === "accept") return ran_sha256 === decision?.answer?.input_sha256;
  return ran_sha256 !== decision?.action?.sha256;
}

/**
 * We answered the agent's dialog. Where no report will ever confirm it, the screen's reaction proves that the answer was
 * `taken`. Where a report will, it may have come before this: an agent that left the dialog since has the answer.
 */
export function dialogAnswered(
  state: Readonly<State>,
  { id, parcel_id, taken }: { id: AgentId; parcel_id: string; taken: boolean },
  moment: Moment,
): Fact[] {
  const agent = state.agents.get(id);
  if (!agent) return [];
  const draft = draftOn(state, moment);
  replyDelivered(draft, id, parcel_id);
  const isLeft = agent.prompt === null && agent.status !== "exited";
  if (taken || isLeft) replyTaken(draft, id, parcel_id);
  if (isLeft && draft.facts.length > 0) askIfStill(draft, id);
  return draft.facts;
}

/**
 * The hook that a change was for is gone, and keys can't press a change. Nothing was allowed: whoever answered is told,
 * and the dialog, if it is still there, is asked about again.
 */
export function changeLost(
  state: Readonly<State>,
  { id, key }: { id: AgentId; key: string },
  moment: Moment,
): Fact[] {
  const agent = state.agents.get(id);
  const parcel = agent?.outbox.find((it) => it.prompt_key === key && it.state === "owed");
  if (!agent || !parcel || editOf(parcel.reply) === null) return [];
  const draft = draftOn(state, moment);
  parcelMissed(draft, id, parcel, CHANGE_LOST);
  askIfLeft(draft, id, null, "Before: an approval with a change could not be delivered");
  askIfStill(draft, id);
  return draft.facts;
}

/** Nobody saw what ran, and the change had not gone out as far as we know. */
function isUnknown({ reply }: Parcel, { ran_sha256, refused }: CallEnd): boolean {
  return editOf(reply) !== null && ran_sha256 === undefined && !refused;
}

const UNKNOWN = "it is not known whether the change arrived: the dialog was answered while nobody looked";
const UNSEEN =
  "it is not known whether the answer arrived: the dialog was gone before it had gone out, as far as is known";
const UNENDED =
  "it is not known whether the answer arrived: the agent went on, and its conversation does not say how the dialog ended";
const CHANGE_LOST =
  "the change could not be delivered, because the agent's hook was gone by then: nothing was approved";

/** The person's own words may have been typed as one line, and a note may be next to the choice. */
function isGiven({ labels, text }: QuestionAnswer, got: string | undefined): boolean {
  if (got === undefined) return true; // not reported
  const wanted = labels.length > 0 ? labels : [text ?? ""];
  return wanted.every((it) => hasText(got, it));
}

/** The dialog is gone, and none of our keys went there. */
export function missed(draft: Draft, id: AgentId, key: string): void {
  const parcel = draft.agent(id).outbox.find((it) => it.prompt_key === key);
  if (!parcel) return;
  parcelMissed(draft, id, parcel);
  leaveDialog(draft, id, key);
}

function leaveDialog(draft: Draft, id: AgentId, key: string): void {
  const { prompt, project } = draft.agent(id);
  if (prompt?.key !== key) return;
  draft.emit({ type: "agent:working", id, project });
  ownerGoesOn(draft, draft.agent(id));
}
