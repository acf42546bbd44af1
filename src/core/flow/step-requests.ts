/**
 * Requests of a job's shell steps: the job waits while one is pending, and each ends with the step or job that made it.
 */
import type { AskedIn, Decision } from "../model/decision-types.ts";
import { isAside } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, JobId } from "../model/ids.ts";
import type { Job } from "../model/job-types.ts";
import { hasEnded } from "../model/job-types.ts";
import type { Draft } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { tellRequester } from "../outbox/queue.ts";

/** The job waits while its step does. A suspended job stays suspended. */
export function jobWaits(state: Readonly<State>, asked_in: AskedIn, id: DecisionId): Fact[] {
  const job = atStep(state, asked_in);
  if (!job || job.status === "suspended" || job.cancelling) return [];
  return [{ type: "job:waiting", id: job.id, project: job.project, step: asked_in.step, decision_ids: [id] }];
}

/** The job was suspended, and its step has asked what nobody has answered yet. */
export function waitAgain(draft: Draft, id: JobId): void {
  for (const { id: asked, asked_in, ...it } of pendingOf(draft.state, id))
    if (asked_in && !isAside(it)) for (const fact of jobWaits(draft.state, asked_in, asked)) draft.emit(fact);
}

/** This request is settled: if the step waits for nothing else that it asked, its job runs again. */
export function jobGoesOn(state: Readonly<State>, { id, asked_in }: Decision): Fact[] {
  const job = asked_in && atStep(state, asked_in);
  if (job?.status !== "waiting" || job.cancelling) return [];
  const isAwaited = (it: Decision) =>
    it.id !== id && it.asked_in?.run_id === asked_in?.run_id && !isAside(it);
  if (pendingOf(state, job.id).some(isAwaited)) return [];
  return [{ type: "step:resumed", job_id: job.id, project: job.project, step: asked_in?.step ?? "" }];
}

/**
 * Nobody is left to hear the answer, so the requests are withdrawn. One that other work waits for stays until it is
 * answered.
 */
export function endStepRequests(draft: Draft, job: Job, reason: string, step?: string): void {
  const isOwn = (it: string) => it === job.id || it.startsWith(`${job.id}/`);
  for (const decision of pendingOf(draft.state, job.id)) {
    if (step !== undefined && decision.asked_in?.step !== step) continue;
    if (!decision.blocks.every(isOwn)) continue;
    const { id, project } = decision;
    draft.emit({ type: "decision:withdrawn", id, project, reason, by: "oj" });
    const outcome = { state: "withdrawn", reason, by: "oj" } as const;
    for (const fact of tellRequester(draft.state, decision, outcome)) draft.emit(fact);
  }
}

/** Requests of this job's steps that are not settled. */
export function pendingOf(state: Readonly<State>, job_id: JobId): Decision[] {
  return [...state.pending].flatMap((id) => {
    const decision = state.decisions.get(id);
    return decision?.asked_in?.job_id === job_id ? [decision] : [];
  });
}

/** The job, while exactly this run of the step is under way. */
function atStep(state: Readonly<State>, { job_id, step, run_id }: AskedIn): Job | null {
  const job = state.jobs.get(job_id);
  const now = job?.steps.find((it) => it.name === step);
  const isThere = now?.run_id === run_id && now.status === "running" && job?.step === step;
  return job && isThere && !hasEnded(job) ? job : null;
}
