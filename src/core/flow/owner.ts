/**
 * The job step or crew that an agent works for: when it waits, when it continues, and what is asked about its agent.
 */
import type { Agent } from "../model/agent-types.ts";
import type { AgentId, DecisionId } from "../model/ids.ts";
import type { Job } from "../model/job-types.ts";
import { hasEnded } from "../model/job-types.ts";
import type { Draft } from "../model/state/draft.ts";

/** The owner waits for this answer. */
export function ownerWaits(draft: Draft, agent: Agent, decision_id: DecisionId): void {
  const { owner, project } = agent;
  if (owner.kind === "crew") draft.emit({ type: "crew:waiting", id: owner.id, project, decision_id });
  else
    draft.emit({
      type: "step:waiting",
      job_id: owner.id,
      project,
      step: owner.step,
      decision_id,
      child_id: null,
    });
}

/** The owner continues with its agent. */
export function ownerGoesOn(draft: Draft, agent: Agent): void {
  const { owner, project } = agent;
  if (owner.kind === "crew") {
    if (draft.crew(owner.id).status === "waiting")
      draft.emit({ type: "crew:resumed", id: owner.id, project });
    return;
  }
  const step = jobAt(draft, agent)?.steps.find((it) => it.name === owner.step);
  if (step?.status === "waiting")
    draft.emit({ type: "step:resumed", job_id: owner.id, project, step: owner.step });
}

/** After an answer: the owner waits for any other question about its agent; without one, it continues. */
export function ownerFollows(draft: Draft, agent: Agent): void {
  const left = questionOf(draft, agent.id);
  if (left) ownerWaits(draft, agent, left);
  else ownerGoesOn(draft, agent);
}

/**
 * A question about the agent was dismissed: the owner waits for any other one; without one, until somebody resumes it
 * or the agent moves.
 */
export function ownerStays(draft: Draft, agent: Agent, dismissed: DecisionId): void {
  if (agent.status !== "working") ownerWaits(draft, agent, questionOf(draft, agent.id) ?? dismissed);
}

/** The job, if it is still at this agent's step and has not ended. */
export function jobAt(draft: Draft, agent: Agent): Job | null {
  const { owner } = agent;
  if (owner.kind !== "job" || !draft.state.jobs.has(owner.id)) return null;
  const job = draft.job(owner.id);
  const step = job.steps.find((it) => it.name === owner.step);
  return hasEnded(job) || job.step !== owner.step || step?.agent_id !== agent.id ? null : job;
}

/**
 * The agent moved on by itself: the pending questions about it are withdrawn, and never counted as a person's answer.
 */
export function withdrawFor(
  draft: Draft,
  id: AgentId,
  reason: string,
  { only, by = "terminal" }: { only?: (prompt_key: string | null) => boolean; by?: string } = {},
): boolean {
  const agent = draft.agent(id);
  let any = false;
  for (const decisionId of draft.state.pending) {
    const decision = draft.state.decisions.get(decisionId);
    if (decision?.agent_id !== id || decision.source === "request") continue;
    if (only && !only(decision.prompt_key)) continue;
    draft.emit({
      type: "decision:withdrawn",
      id: decisionId,
      project: agent.project,
      reason,
      by,
    });
    any = true;
  }
  return any;
}

/** Whether a question about the agent waits for a person. What the agent itself requests doesn't count. */
export function hasQuestion(draft: Draft, id: AgentId): boolean {
  return questionOf(draft, id) !== null;
}

function questionOf(draft: Draft, id: AgentId): DecisionId | null {
  for (const it of draft.state.pending) {
    const decision = draft.state.decisions.get(it);
    if (decision?.agent_id === id && decision.source !== "request") return it;
  }
  return null;
}
