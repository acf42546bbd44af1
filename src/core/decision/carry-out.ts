/** What an answer does to the job or the agent that waits for it. Only `give.ts` calls this. */
import { askIfStill } from "../agent/stands-still.ts";
import { cancelFrom } from "../control/job.ts";
import { stepCompleted, stepFailed } from "../flow/job-flow.ts";
import type { Action, Answer, Decision, Option, Owner } from "../model/decision-types.ts";
import type { Choice } from "../model/job-types.ts";
import { hasEnded } from "../model/job-types.ts";
import type { Draft } from "../model/state/draft.ts";
import { words } from "../outbox/reply.ts";
import { answerAgent } from "./agent-answer.ts";

/** What was chosen, by a person or by a deadline, happens to the job or the agent that waits for it. */
export function carryOut(
  draft: Draft,
  decision: Decision,
  { action, answer, option }: { action: Action; answer: Answer; option: Option | null },
): void {
  const { id, project, owner } = decision;
  if (owner.kind !== "requester" && decision.agent_id) answerAgent(draft, decision, action, answer);
  else if (owner.kind === "job") {
    // The job takes the answer in the same commit: nothing is left to deliver.
    if (action.type !== "dismiss") draft.emit({ type: "decision:acknowledged", id, project });
    moveJob(draft, owner, action, choiceOf(answer, option), answer.via === "escalation");
  }
  askIfStill(draft, decision.agent_id);
}

function moveJob(
  draft: Draft,
  owner: Extract<Owner, { kind: "job" }>,
  action: Action,
  choice: Choice,
  isDefault: boolean,
): void {
  if (!draft.state.jobs.has(owner.id)) return;
  const { id, step } = owner;
  const job = draft.job(id);
  if (hasEnded(job) || job.step !== step) return;
  const nothing = { output: "", exit_code: null };
  switch (action.type) {
    case "goto":
      return stepCompleted(draft, id, nothing, choice, action.step);
    case "cancel":
      return cancelFrom(draft, id, {
        reason: choice.message || `${choice.by} chose "${choice.label}"`,
        by: choice.by,
      });
    case "fail":
      return stepFailed(draft, id, isDefault ? choice.message : chosenWords(choice), nothing);
    case "dismiss":
      return;
    default:
      return stepCompleted(draft, id, nothing, choice);
  }
}

function chosenWords({ by, label, message }: Choice): string {
  return `${by} chose "${label}"${message ? `: ${message}` : ""}`;
}

function choiceOf(answer: Answer, option: Option | null): Choice {
  return {
    choice: option?.key ?? "",
    number: answer.chosen === null ? "" : String(answer.chosen),
    label: option?.label ?? "",
    message: words(answer) ?? "",
    by: answer.by,
  };
}
