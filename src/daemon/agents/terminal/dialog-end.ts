/**
 * What the screen and the conversation's file tell about a dialog that is no longer shown. Pure, so that the model of
 * delivery (test/model) tries it in every order.
 */
import type { Kept, Look } from "../../../agents/client.ts";
import type { CallEnd } from "../../../core/agent/dialog.ts";
import type { Agent, Parcel, Prompt } from "../../../core/model/agent-types.ts";

/** Whether something that was seen of an agent is still true of it. */
export type Still = (agent: Agent) => boolean;

/**
 * Checks that nothing has happened to the agent since. What the screen showed earlier must not hide a dialog that a
 * hook reported, and is no receipt for an answer that was given later.
 */
export function asItStands(agent: Agent): Still {
  const { changed_at_ms, status, prompt } = agent;
  const key = prompt?.key;
  const answer = answerIn(agent)?.state;
  return (it) =>
    it.changed_at_ms === changed_at_ms &&
    it.status === status &&
    it.prompt?.key === key &&
    answerIn(it)?.state === answer;
}

/** Checks that the dialog is still asked about: whose answer it got is told elsewhere once there is one. */
export function isUnanswered(key: string): Still {
  return ({ prompt, outbox }) => prompt?.key === key && !outbox.some((it) => it.prompt_key === key);
}

/** How the dialog ended, as far as anybody can tell. `later`: its call goes on, and its end will tell. */
export function endOfDialog(
  agent: Agent,
  { key }: Prompt,
  state: Look["state"],
  { ended, open }: Pick<Kept, "ended" | "open">,
): CallEnd | "later" {
  const end = ended.find((it) => it.key === key);
  // the call has no result yet: whose answer it got will be known at its end
  const isOpen = open.some((it) => it.key === key);
  const isOwed = answerIn(agent)?.state === "owed";
  // one that is owed may have arrived if the call runs; but a dialog that is not drawn yet looks the same
  if (state === "working" && isOpen && (isContested(agent) || isOwed)) return "later";
  if (end) return end;
  if (!isOpen || isOwed) return { unseen: true };
  // a No ends its call at once; a plan that was accepted with a cleared context leaves it without an end
  return isRefused(agent) ? { unended: true } : {};
}

/**
 * What is to be done about a change whose hook is gone, as keys can't press it. `lost`: its dialog may still be open,
 * perhaps behind the one that is shown, so that it is asked about again. `later`: the call goes on, and its end will
 * tell.
 */
export function endOfLostChange(state: Look["state"], end: CallEnd | null): CallEnd | "lost" | "later" {
  if (end) return end;
  if (state === "dialog") return "lost";
  return state === "idle" ? { unseen: true } : "later";
}

/** Whether somebody gave its dialog an answer that the one in the terminal may contradict, though the agent works on. */
function isContested(agent: Agent): boolean {
  return isRefused(agent) || answerIn(agent)?.reply?.type === "answers";
}

function isRefused(agent: Agent): boolean {
  const { reply } = answerIn(agent) ?? {};
  return reply?.type === "deny" || reply?.type === "revise";
}

/** What somebody answered to the dialog that it shows. */
function answerIn({ prompt, outbox }: Agent): Parcel | undefined {
  return prompt ? outbox.find((it) => it.prompt_key === prompt.key) : undefined;
}
