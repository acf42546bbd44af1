/** What a person's answer does to an agent and its owner. Whatever the agent must be told is owed until it has it. */

import { askIfLeft } from "../agent/dialog-left.ts";
import { finishOwner } from "../agent/end.ts";
import { cancelFrom } from "../control/job.ts";
import { jobAt, ownerFollows, ownerStays } from "../flow/owner.ts";
import type { Agent, Reply } from "../model/agent-types.ts";
import { isHung } from "../model/agent-types.ts";
import type { Action, Answer, Decision } from "../model/decision-types.ts";
import { never } from "../model/errors.ts";
import type { Draft } from "../model/state/draft.ts";
import { owe } from "../outbox/parcel.ts";
import { replyOf, replyWords, words } from "../outbox/reply.ts";

export function answerAgent(draft: Draft, decision: Decision, action: Action, answer: Answer): void {
  const { id, project, agent_id } = decision;
  if (!agent_id || !draft.state.agents.has(agent_id)) return;
  const agent = draft.agent(agent_id);
  const taken = () => draft.emit({ type: "decision:acknowledged", id, project }); // there is nobody to tell
  const untold = (error: string) => draft.emit({ type: "decision:undelivered", id, project, error });
  switch (action.type) {
    case "dismiss":
      if (words(answer) !== null) untold("dismissed: the agent did not get the message");
      return ownerStays(draft, agent, id);
    case "done":
    case "skip":
      if (words(answer) === null) taken();
      else untold("the agent's work is over: it did not get the message");
      return finishOwner(draft, agent, { type: "completed" });
    case "cancel":
      taken();
      return cancelOwner(draft, agent, answer);
    case "fail":
      taken();
      return finishOwner(draft, agent, { type: "failed", error: words(answer) ?? `${answer.by} said so` });
    case "nudge":
    case "reply":
    case "retry":
      return tell(draft, agent, decision, retryWords(agent, decision, words(answer)));
    case "approve":
    case "deny":
    case "choose":
    case "other":
    case "answer":
    case "accept":
    case "revise":
    case "keys":
      return reply(
        draft,
        agent,
        decision,
        replyOf(decision, action, answer),
        replyWords(decision, action, answer),
      );
    case "continue":
    case "goto":
      return; // only decision steps have these options
    default:
      never(action);
  }
}

/** Tells a live agent, or restarts a dead one with the words. */
function tell(draft: Draft, agent: Agent, decision: Decision, text: string): void {
  const { id, project } = agent;
  draft.emit({ type: "agent:reset", id, project });
  owe(draft, id, { decision_id: decision.id, prompt_key: null, reply: null, text });
  if ((!agent.spawned && agent.status === "exited") || isHung(agent))
    draft.emit({ type: "agent:restarting", id, project, reason: `${decision.id}: retry` });
  const said = { quote: "told", text } as const;
  if (!askIfLeft(draft, id, said)) ownerFollows(draft, agent);
}

/** The dialog gets its answer; if it is gone, the agent is told in words. */
function reply(draft: Draft, agent: Agent, decision: Decision, answer: Reply, text: string): void {
  const { id } = agent;
  const open = agent.prompt !== null && agent.prompt.key === decision.prompt_key;
  owe(draft, id, {
    decision_id: decision.id,
    prompt_key: open ? decision.prompt_key : null,
    reply: open ? answer : null,
    text,
  });
  ownerFollows(draft, agent);
}

function cancelOwner(draft: Draft, agent: Agent, answer: Answer): void {
  const by = {
    by: answer.by,
    reason: words(answer) ?? `${answer.by} chose "${answer.labels[0] ?? "Cancel"}"`,
  };
  const job = jobAt(draft, agent);
  if (job) cancelFrom(draft, job.id, by);
  else finishOwner(draft, agent, { type: "cancelled", ...by });
}

/** The agent is told what went wrong even if a person adds their own words: it may not know. */
function retryWords(agent: Agent, { id, source }: Decision, message: string | null): string {
  const failure = agent.decision_id === id ? (agent.failure ?? null) : null;
  const words = message ?? STANDARD[source] ?? "Please continue with your task.";
  return failure === null ? words : `${failure}\n\n${words}`;
}

const STANDARD: Partial<Record<Decision["source"], string>> = {
  gate: "Please fix it, then say again that you are done.",
  error: "Please continue where you left off.",
  dead: "Please continue where you left off.",
};
