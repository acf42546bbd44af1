/**
 * What may be asked of a job, and what its workspace and processes report. Where it goes from there is in
 * `job-flow.ts`.
 */

import { resumeAgent } from "../agent/agent.ts";
import { endAgent } from "../agent/end.ts";
import type { ContextOutcome } from "../flow/ask-step.ts";
import { askStep } from "../flow/ask-step.ts";
import { liftBlocks } from "../flow/block.ts";
import {
  beginJob,
  beginStep,
  currentDef,
  endAs,
  enterFirst,
  goTo,
  stepCancelled,
  stepCompleted,
  stepFailed,
  withdrawAll,
} from "../flow/job-flow.ts";
import type { JobInput } from "../flow/job-start.ts";
import { withdrawFor } from "../flow/owner.ts";
import { endStepRequests, waitAgain } from "../flow/step-requests.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { CrewId, JobId, Moment, OwnerId, RunId } from "../model/ids.ts";
import type { Job, Workspace } from "../model/job-types.ts";
import { hasEnded, stepOf } from "../model/job-types.ts";
import { draftOn } from "../model/state/draft.ts";
import { findJob } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";

export type { JobInput };

export function startJob(state: Readonly<State>, input: JobInput & { id: JobId }, moment: Moment): Fact[] {
  const draft = draftOn(state, moment);
  beginJob(draft, input.id, input, null);
  return draft.facts;
}

export function cancelJob(
  state: Readonly<State>,
  input: { id: string; by: string; reason: string | null; now?: boolean },
  moment: Moment,
): Fact[] {
  const job = findJob(state, input.id);
  if (hasEnded(job)) throw ended(job, "there is nothing to cancel");
  const child = job.cancelling && input.now ? childOf(state, job) : null;
  if (child) return cancelJob(state, { ...input, id: child.id }, moment); // the job only waits for what that one tidies up
  if (job.cancelling || (isTidyingUp(job) && !input.now)) return [];
  const draft = draftOn(state, moment);
  cancelFrom(draft, job.id, { reason: input.reason, by: input.by });
  return draft.facts;
}

/** The job was cancelled and its `on_cancel` runs: a second cancel lets that finish, unless the job is to end now. */
function isTidyingUp({ ending }: Job): boolean {
  return ending?.type === "cancelled";
}

/** The job that this one waits for. */
function childOf(state: Readonly<State>, { step: name, steps }: Job): Job | null {
  const step = steps.find((it) => it.name === name);
  const child = step?.child_id && step.status === "waiting" ? state.jobs.get(step.child_id) : undefined;
  return child && !hasEnded(child) ? child : null;
}

type DraftOf = ReturnType<typeof draftOn>;

/** Marks the job as being cancelled. A step with a running process ends when the process has ended. */
export function cancelFrom(draft: DraftOf, id: JobId, by: { reason: string | null; by: string }): void {
  const job = draft.job(id);
  draft.emit({ type: "job:cancelling", id, project: job.project, ...by });
  const step = job.step === null ? null : stepOf(job, job.step);
  if (step?.agent_id) {
    withdrawFor(draft, step.agent_id, `${job.name} was cancelled`, { by: by.by });
    endAgent(draft, step.agent_id, "cancelled", by.by);
    if (draft.agent(step.agent_id).status === "ended") stepCancelled(draft, id, by);
    return; // a live agent is stopped first: see owed.ts
  }
  endStepRequests(draft, job, `${job.name} was cancelled`);
  if (step?.status === "running") return; // its process is stopped first: see owed.ts
  if (step?.child_id && step.status === "waiting") {
    const child = draft.job(step.child_id);
    if (!child.cancelling && !isTidyingUp(child)) cancelFrom(draft, step.child_id, by);
    return;
  }
  withdrawAll(draft, job, `${job.name} was cancelled`, by.by);
  stepCancelled(draft, id, by);
}

export function suspendJob(
  state: Readonly<State>,
  input: { id: string; by: string },
  moment: Moment,
): Fact[] {
  const job = findJob(state, input.id);
  if (hasEnded(job)) throw ended(job, "there is nothing to suspend");
  if (job.status === "suspended") return [];
  const draft = draftOn(state, moment);
  draft.emit({ type: "job:suspended", id: job.id, project: job.project, by: input.by });
  return draft.facts;
}

/**
 * Resumes a suspended job, one whose question was dismissed, or a failed one at the step that failed. A job that only
 * blocking decisions hold up continues without them.
 */
export function resumeJob(
  state: Readonly<State>,
  input: { id: string; by: string; message: string | null },
  moment: Moment,
): Fact[] {
  const found = findJob(state, input.id);
  const draft = draftOn(state, moment);
  const job = draft.job(found.id);
  const step = job.step === null ? null : stepOf(job, job.step);
  const dismissed = step?.status === "waiting" && isSettled(state, step.decision_id);
  if (job.status === "completed" || job.status === "cancelled") throw ended(job, "it can't be resumed");
  if (job.status === "running" || (job.status === "waiting" && !dismissed)) {
    if (job.blocked_by.length === 0) throw notResumable(job);
    liftBlocks(draft, job.id, input);
    return draft.facts;
  }
  const wasFailed = job.status === "failed";
  draft.emit({ type: "job:resumed", id: job.id, project: job.project, by: input.by, message: input.message });
  if (!job.prepared) return draft.facts; // its workspace is created first
  if (wasFailed) goTo(draft, job.id, found.failed_step ?? currentDef(job).name);
  else if (dismissed && step.agent_id && draft.agent(step.agent_id).status !== "ended")
    resumeAgent(draft, step.agent_id, input.message);
  else if (dismissed) goTo(draft, job.id, currentDef(job).name, { ending: job.ending });
  else if (step?.status === "waiting" && step.decision_id) {
    const { decision_id } = step;
    draft.emit({
      type: "step:waiting",
      job_id: job.id,
      project: job.project,
      step: step.name,
      decision_id,
      child_id: null,
    });
  } else if (job.step === null) enterFirst(draft, job.id);
  else if (step?.status === "pending") beginStep(draft, job.id);
  else waitAgain(draft, job.id);
  return draft.facts;
}

export function deleteJob(state: Readonly<State>, input: { id: string; by: string }, moment: Moment): Fact[] {
  const job = findJob(state, input.id);
  if (!hasEnded(job)) {
    throw new Refusal(
      "job.not-ended",
      `${job.id} is ${job.status}; only a job that has ended can be deleted`,
      `oj job cancel ${job.id}`,
    );
  }
  const draft = draftOn(state, moment);
  draft.emit({ type: "job:deleted", id: job.id, project: job.project, by: input.by });
  return draft.facts;
}

// Reports from the outside. Each may come late or twice (a crash between doing and recording): then nothing follows.

export function workspaceMade(
  state: Readonly<State>,
  input: { id: JobId; workspace: Workspace },
  moment: Moment,
): Fact[] {
  const job = state.jobs.get(input.id);
  if (!job || job.prepared) return [];
  const draft = draftOn(state, moment);
  draft.emit({ type: "job:prepared", id: job.id, project: job.project, workspace: input.workspace });
  if (!hasEnded(job) && job.status !== "suspended") enterFirst(draft, job.id);
  return draft.facts;
}

export function workspaceFailed(
  state: Readonly<State>,
  input: { id: JobId; error: string },
  moment: Moment,
): Fact[] {
  const job = state.jobs.get(input.id);
  if (!job || job.prepared || hasEnded(job)) return [];
  const draft = draftOn(state, moment);
  endAs(draft, draft.job(job.id), {
    type: "failed",
    error: `the workspace could not be created: ${input.error}`,
    step: null,
  });
  return draft.facts;
}

export function workspaceRemoved(state: Readonly<State>, input: { id: JobId; kept: string | null }): Fact[] {
  const job = state.jobs.get(input.id);
  if (!job?.workspace) return [];
  return [{ type: "job:cleaned", id: job.id, project: job.project, kept: input.kept }];
}

/** Nothing is left of a deleted job or crew. */
export function ownerPurged(state: Readonly<State>, { id }: { id: OwnerId }): Fact[] {
  const trash = state.trash.get(id);
  if (!trash) return [];
  const { project } = trash;
  return id.startsWith("crew-")
    ? [{ type: "crew:purged", id: id as CrewId, project }]
    : [{ type: "job:purged", id: id as JobId, project }];
}

export interface ShellOutcome {
  run_id: RunId;
  job_id: JobId;
  exit_code: number | null;
  /** Why there is no exit code: a signal, a timeout, a missing folder. */
  error: string | null;
  output: string;
}

export function shellEnded(state: Readonly<State>, outcome: ShellOutcome, moment: Moment): Fact[] {
  const job = state.jobs.get(outcome.job_id);
  const step = job?.steps.find((it) => it.name === job.step);
  if (!job || step?.run_id !== outcome.run_id || step.status !== "running") return [];
  const draft = draftOn(state, moment);
  const { output, exit_code } = outcome;
  const error = outcome.error ?? (exit_code === 0 ? null : `exit code ${exit_code}`);
  if (job.cancelling) stepCancelled(draft, job.id, job.cancelling);
  else if (currentDef(job).run.type === "decision") contextGathered(draft, job.id, { output, error });
  else if (error === null) stepCompleted(draft, job.id, { output, exit_code });
  else stepFailed(draft, job.id, error, { output, exit_code });
  return draft.facts;
}

function contextGathered(draft: DraftOf, id: JobId, context: ContextOutcome): void {
  try {
    askStep(draft, id, context);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    stepFailed(draft, id, error.hint ? `${error.message}\n${error.hint}` : error.message, {
      output: "",
      exit_code: null,
    });
  }
}

function isSettled(state: Readonly<State>, id: Job["steps"][number]["decision_id"]): boolean {
  return id !== null && state.decisions.get(id)?.state !== "pending";
}

function ended(job: Job, what: string): Refusal {
  return new Refusal(
    "job.ended",
    `${job.id} has ${job.status === "cancelled" ? "been cancelled" : job.status}; ${what}`,
    `oj job show ${job.id}`,
  );
}

function notResumable(job: Job): Refusal {
  const step = job.steps.find((it) => it.name === job.step);
  const hint = step?.decision_id ? `oj decision show ${step.decision_id}` : `oj job show ${job.id}`;
  return new Refusal(
    "job.not-resumable",
    `${job.id} is ${job.status}${job.status === "waiting" ? " for an answer" : ""}; there is nothing to resume`,
    hint,
  );
}
