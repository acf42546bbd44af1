/** What a person's answer does to an agent and its owner. Whatever the agent must hear is owed until it has it. */
import { finishOwner, jobAt, ownerGoesOn } from "./agent-owner.ts";
import type { Agent, QuestionAnswer, Reply } from "./agent-types.ts";
import type { Action, Answer, Decision } from "./decision-types.ts";
import type { Draft } from "./draft.ts";
import { never } from "./errors.ts";
import { cancelFrom } from "./job.ts";
import { owe } from "./parcel.ts";

export function answerAgent(draft: Draft, decision: Decision, action: Action, answer: Answer): void {
  const { id, project, agent_id } = decision;
  if (!agent_id || !draft.state.agents.has(agent_id)) return;
  const agent = draft.agent(agent_id);
  const taken = () => draft.emit({ type: "decision:acknowledged", id, project }); // there is nobody to tell
  switch (action.type) {
    case "dismiss":
      return;
    case "done":
    case "skip":
      taken();
      return finishOwner(draft, agent, { type: "completed" });
    case "cancel":
      taken();
      return cancelOwner(draft, agent, answer);
    case "fail":
      taken();
      return finishOwner(draft, agent, { type: "failed", error: words(answer) ?? `${answer.by} said so` });
    case "nudge":
    case "retry":
      return tell(draft, agent, decision, words(answer) ?? standardWords(agent, decision));
    case "approve":
      return reply(
        draft,
        agent,
        decision,
        { type: "approve", message: words(answer) },
        `Your request to use ${toolOf(decision)} was approved${said(answer)} Please go on.`,
      );
    case "deny":
      return reply(
        draft,
        agent,
        decision,
        { type: "deny", message: words(answer) },
        `Your request to use ${toolOf(decision)} was denied${said(answer)}`,
      );
    case "choose":
    case "other":
    case "answer": {
      const answers = answersOf(decision, answer);
      const text = answers
        .map((it) => `${it.question}\n→ ${[...it.labels, ...(it.text ? [it.text] : [])].join(", ")}`)
        .join("\n\n");
      return reply(
        draft,
        agent,
        decision,
        { type: "answers", answers, message: answer.message },
        `The answer to what you asked:\n\n${text}${answer.message ? `\n\n${answer.message}` : ""}`,
      );
    }
    case "accept":
      return reply(
        draft,
        agent,
        decision,
        { type: "accept", mode: action.mode, message: words(answer) },
        `Your plan was accepted${said(answer)} Please build it.`,
      );
    case "revise":
      return reply(
        draft,
        agent,
        decision,
        { type: "revise", message: words(answer) ?? "Please revise the plan." },
        `Please revise your plan${said(answer)}`,
      );
    case "keys":
      return reply(
        draft,
        agent,
        decision,
        { type: "keys", keys: action.keys, label: answer.labels[0] ?? "" },
        answer.labels[0] ?? "",
      );
    case "continue":
    case "goto":
      return; // options of a runbook's own step
    default:
      never(action);
  }
}

/** Words go to the live agent, or start a dead one again. */
function tell(draft: Draft, agent: Agent, decision: Decision, text: string): void {
  const { id, project } = agent;
  draft.emit({ type: "agent:reset", id, project });
  owe(draft, id, { decision_id: decision.id, prompt_key: null, reply: null, text });
  if (!agent.spawned && agent.status === "exited")
    draft.emit({ type: "agent:restarting", id, project, reason: `${decision.id}: retry` });
  ownerGoesOn(draft, agent);
}

/** The dialog gets its answer; where it is gone, the agent is told in words. */
function reply(draft: Draft, agent: Agent, decision: Decision, answer: Reply, text: string): void {
  const { id } = agent;
  const open = agent.prompt !== null && agent.prompt.key === decision.prompt_key;
  owe(draft, id, {
    decision_id: decision.id,
    prompt_key: open ? decision.prompt_key : null,
    reply: open ? answer : null,
    text,
  });
  ownerGoesOn(draft, agent);
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

function answersOf(decision: Decision, answer: Answer): QuestionAnswer[] {
  return decision.questions.map((question, index) => {
    const numbers = answer.choices[index] ?? [];
    const labels = numbers.flatMap((it) => question.options[it - 1]?.label ?? []);
    const free = numbers.some((it) => it > question.options.length) || numbers.length === 0;
    return { question: question.question, labels, text: free ? (answer.text ?? answer.message) : null };
  });
}

function standardWords(agent: Agent, decision: Decision): string {
  if (decision.source === "gate")
    return `A check failed. Please mend it, then say again that you are done.\n\n${decision.context}`;
  if (decision.source === "error")
    return `An error interrupted you (${agent.error?.message ?? "unknown"}). Please go on where you left off.`;
  if (decision.source === "dead") return "You were interrupted. Please go on where you left off.";
  return "Please go on with your task.";
}

function words(answer: Answer): string | null {
  return answer.message ?? answer.text;
}

function said(answer: Answer): string {
  const text = words(answer);
  return text === null ? "." : `: ${text}`;
}

function toolOf(decision: Decision): string {
  return decision.action?.tool ?? "the tool";
}
