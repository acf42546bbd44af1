/**
 * How a job moves: how it enters a step, and where the outcome leads. `control/job.ts` decides what a person may ask
 * for.
 */

import type { Decision } from "../model/decision-types.ts";
import { never, Refusal } from "../model/errors.ts";
import type { JobId } from "../model/ids.ts";
import type { Choice, Job, JobEnding } from "../model/job-types.ts";
import { blockersOf, hasEnded, stepOf } from "../model/job-types.ts";
import type { Route, StepDef, StepRun } from "../model/runbook.ts";
import type { Draft } from "../model/state/draft.ts";
import { startStepAgent } from "./agent-start.ts";
import { askStep } from "./ask-step.ts";
import type { JobInput } from "./job-start.ts";
import { childInput, createJob } from "./job-start.ts";
import { nextInOrder, standsAside } from "./order.ts";
import { isChosen } from "./seen.ts";
import { shellRunOf } from "./shell-run.ts";
import { endStepRequests } from "./step-requests.ts";

type Outcome = { output: string; exit_code: number | null };
const NOTHING: Outcome = { output: "", exit_code: null };

/** Records the job and takes its first step, or waits for its workspace. */
export function beginJob(draft: Draft, id: JobId, input: JobInput, parent: Job["parent"]): void {
  createJob(draft, id, input, parent);
  if (draft.job(id).prepared) enterFirst(draft, id);
}

export function enterFirst(draft: Draft, id: JobId): void {
  const job = draft.job(id);
  if (job.step !== null) return beginStep(draft, id);
  const first = nextInOrder(job.def, null);
  if (first !== null) goTo(draft, id, first);
}

/** Goes to a step, records which steps were jumped over, and begins it unless the job is suspended. */
export function goTo(
  draft: Draft,
  id: JobId,
  name: string,
  how: { route?: string; ending?: JobEnding | null } = {},
): void {
  const job = draft.job(id);
  const from = job.step;
  if (from !== null && !how.ending) skipBetween(draft, job, from, name);
  draft.emit({
    type: "job:advanced",
    id,
    project: job.project,
    step: name,
    from,
    route: how.route ?? null,
    ending: how.ending ?? null,
  });
  if (job.status !== "suspended") beginStep(draft, id);
}

/** Begins the step that the job is at. */
export function beginStep(draft: Draft, id: JobId): void {
  const job = draft.job(id);
  const def = currentDef(job);
  const step = stepOf(job, def.name);
  if (step.entries >= job.max_entries) {
    const error = `step "${def.name}" was entered ${step.entries} times, which is the limit: the job is going in circles`;
    endFailed(draft, job, { error, step: def.name, trouble: `then ${error}`, forGood: true });
    return;
  }
  const missing = def.depends_on.filter((it) => stepOf(job, it).status !== "completed");
  if (missing.length > 0) {
    const reasons = missing.map((it) => `"${it}" (${stepOf(job, it).status})`).join(", ");
    draft.emit({
      type: "step:skipped",
      job_id: id,
      project: job.project,
      step: def.name,
      reason: `needs ${reasons}`,
    });
    goOn(draft, id, def, null);
    return;
  }
  const blockers = blockersOf(job, def.name);
  if (blockers.length > 0) {
    const decision_ids = blockers.map((it) => it.decision_id);
    draft.emit({ type: "job:waiting", id, project: job.project, step: def.name, decision_ids });
    return;
  }
  const run_id = draft.moment.id("run");
  draft.emit({
    type: "step:started",
    job_id: id,
    project: job.project,
    step: def.name,
    run_id,
    entry: step.entries + 1,
  });
  try {
    perform(draft, id, def);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    stepFailed(draft, id, error.hint ? `${error.message}\n${error.hint}` : error.message, NOTHING);
  }
}

function perform(draft: Draft, id: JobId, def: StepDef): void {
  const run = def.run;
  switch (run.type) {
    case "shell":
      shellRunOf(draft.job(id)); // refuses here, where the step can still fail, not when the script is run
      return;
    case "decision":
      if (shellRunOf(draft.job(id)) === null) askStep(draft, id, null);
      return;
    case "job":
      startChild(draft, id, def.name, run);
      return;
    case "agent":
      startStepAgent(draft, id, def, run.agent);
      return;
    default:
      never(run);
  }
}

/** The step waits for the job that it runs. */
function startChild(draft: Draft, id: JobId, step: string, run: Extract<StepRun, { type: "job" }>): void {
  const parent = draft.job(id);
  const input = childInput(parent, run);
  const child_id = draft.moment.id("job");
  const { project } = parent;
  createJob(draft, child_id, input, { job_id: id, step }); // refuses before anything waits for it
  draft.emit({ type: "step:waiting", job_id: id, project, step, decision_id: null, child_id });
  if (draft.job(child_id).prepared) enterFirst(draft, child_id);
}

/** The current step is done: the job goes where the step says, or to the next one in order. */
export function stepCompleted(
  draft: Draft,
  id: JobId,
  outcome: Outcome,
  choice?: Choice,
  target?: string,
): void {
  const job = draft.job(id);
  const def = currentDef(job);
  draft.emit({
    type: "step:completed",
    job_id: id,
    project: job.project,
    step: def.name,
    ...outcome,
    ...(choice ? { choice } : {}),
  });
  if (target !== undefined) goTo(draft, id, target);
  else goOn(draft, id, def, def.on_done);
}

/**
 * After a step that is over: the job goes where the step says, or ends if its ending is already settled, or goes to the
 * next step in order.
 */
function goOn(draft: Draft, id: JobId, def: StepDef, onDone: Route | null | undefined): void {
  const job = draft.job(id);
  const route = usable(job, onDone, `${def.name}.on_done`);
  if (route) return goTo(draft, id, route.step, { route: `${def.name}.on_done` });
  if (job.ending) return endAs(draft, job, job.ending);
  const next = standsAside(job.def, def.name) ? null : nextInOrder(job.def, def.name);
  if (next !== null) return goTo(draft, id, next);
  const last = usable(job, job.def.on_done, "on_done");
  if (last && last.step !== def.name)
    return goTo(draft, id, last.step, { route: "on_done", ending: { type: "completed" } });
  endAs(draft, job, { type: "completed" });
}

/** The current step failed: the job goes to the step's `on_fail`, or to its own; without either, it fails. */
export function stepFailed(draft: Draft, id: JobId, error: string, outcome: Outcome): void {
  const job = draft.job(id);
  const def = currentDef(job);
  draft.emit({ type: "step:failed", job_id: id, project: job.project, step: def.name, error, ...outcome });
  endStepRequests(draft, job, `${job.name}: step "${def.name}" failed`, def.name);
  const key = `${def.name}.on_fail`;
  const route = usable(job, def.on_fail, key);
  if (route) {
    const failed = failure(draft, error, def.name);
    const ending = standsAside(job.def, route.step) ? (job.ending ?? failed) : null;
    return goTo(draft, id, route.step, { route: key, ending });
  }
  endFailed(draft, job, { error, step: def.name, trouble: `then step "${def.name}" failed too: ${error}` });
}

/**
 * Fails the job, after its `on_fail` step if it has one that may still be entered. If that step is part of the normal
 * order, the job continues from there instead, unless it fails `forGood`. A job that fails or is cancelled already ends
 * as that; `trouble` says what happened then.
 */
function endFailed(
  draft: Draft,
  job: Job,
  {
    error,
    step,
    trouble,
    forGood = false,
  }: { error: string; step: string; trouble: string; forGood?: boolean },
): void {
  if (job.ending && job.ending.type !== "completed")
    return endAs(draft, job, withTrouble(job.ending, trouble));
  const route = usable(job, job.def.on_fail, "on_fail");
  const failed = failure(draft, error, step);
  const open = route && route.step !== step && stepOf(job, route.step).entries < job.max_entries;
  if (!open) return endAs(draft, job, failed);
  const ending = forGood || standsAside(job.def, route.step) ? failed : null;
  goTo(draft, job.id, route.step, { route: "on_fail", ending });
}

function failure(draft: Draft, error: string, step: string): JobEnding {
  return { type: "failed", error, step, ...(isChosen(draft) ? { chosen: true } : {}) };
}

/**
 * The current step was cancelled: the job goes to the step's `on_cancel`, or to its own; without either, it is
 * cancelled.
 */
export function stepCancelled(draft: Draft, id: JobId, by: { reason: string | null; by: string }): void {
  const job = draft.job(id);
  const ending: JobEnding = { type: "cancelled", ...by };
  const name = job.step;
  if (name === null) return endAs(draft, job, ending);
  const step = stepOf(job, name);
  if (step.status === "running" || step.status === "waiting") {
    draft.emit({ type: "step:cancelled", job_id: id, project: job.project, step: name });
    endStepRequests(draft, job, `${job.name} was cancelled`, name);
  }
  const already = job.ending?.type === "cancelled";
  const own = usable(job, currentDef(job).on_cancel, `${name}.on_cancel`);
  const whole = usable(job, job.def.on_cancel, "on_cancel");
  const [route, key] = own ? [own, `${name}.on_cancel`] : [whole, "on_cancel"];
  if (already || !route || route.step === name) return endAs(draft, job, ending);
  goTo(draft, id, route.step, { route: key, ending });
}

/** Ends the job, withdraws its pending questions, and tells the job that waits for it. */
export function endAs(draft: Draft, job: Job, ending: JobEnding): void {
  const { id, project } = job;
  withdrawAll(draft, job, `${job.name} ${ending.type}`, ending.type === "cancelled" ? ending.by : "oj");
  switch (ending.type) {
    case "completed":
      draft.emit({ type: "job:completed", id, project });
      break;
    case "failed": {
      // a person who chose it knows, and the job that waits for this one tells
      const unseen = ending.chosen || job.parent !== null ? {} : { unseen: true as const };
      draft.emit({ type: "job:failed", id, project, step: ending.step, error: ending.error, ...unseen });
      break;
    }
    case "cancelled":
      draft.emit({ type: "job:cancelled", id, project, reason: ending.reason, by: ending.by });
      break;
    default:
      never(ending);
  }
  if (job.parent) childEnded(draft, job.parent.job_id, job, ending);
}

function childEnded(draft: Draft, parentId: JobId, child: Job, ending: JobEnding): void {
  if (!draft.state.jobs.has(parentId)) return;
  const parent = draft.job(parentId);
  const step = parent.step === null ? null : stepOf(parent, parent.step);
  if (hasEnded(parent) || step?.child_id !== child.id) return;
  const last = child.steps.findLast((it) => it.status === "completed");
  if (parent.cancelling) stepCancelled(draft, parentId, parent.cancelling);
  else if (ending.type === "completed")
    stepCompleted(draft, parentId, { output: last?.output ?? "", exit_code: null });
  else if (ending.type === "cancelled")
    stepCancelled(draft, parentId, { reason: `${child.id} was cancelled`, by: ending.by });
  else stepFailed(draft, parentId, `${child.id} failed: ${ending.error}`, NOTHING);
}

export function withdrawAll(draft: Draft, job: Job, reason: string, by: string): void {
  endStepRequests(draft, job, reason);
  for (const step of job.steps) {
    const decision = step.decision_id === null ? undefined : draft.state.decisions.get(step.decision_id);
    if (decision?.state !== "pending") continue;
    draft.emit({ type: "decision:withdrawn", id: decision.id, project: job.project, reason, by });
  }
  for (const { decision_id } of job.blocked_by) {
    const decision = draft.state.decisions.get(decision_id);
    if (decision?.state !== "pending" || !isOnlyFor(draft, job, decision)) continue;
    draft.emit({ type: "decision:withdrawn", id: decision_id, project: decision.project, reason, by });
  }
}

/** An agent of this job asked it and has ended, and only this job waits for the answer. */
function isOnlyFor(draft: Draft, job: Job, { agent_id, blocks }: Decision): boolean {
  const agent = agent_id === null ? undefined : draft.state.agents.get(agent_id);
  return (
    agent?.owner.id === job.id &&
    draft.agent(agent.id).status === "ended" &&
    blocks.every((it) => it === job.id || it.startsWith(`${job.id}/`))
  );
}

function skipBetween(draft: Draft, job: Job, from: string, to: string): void {
  const start = job.steps.findIndex((it) => it.name === from);
  const end = job.steps.findIndex((it) => it.name === to);
  for (const step of job.steps.slice(start + 1, Math.max(start + 1, end))) {
    if (step.status !== "pending" || standsAside(job.def, step.name)) continue;
    draft.emit({
      type: "step:skipped",
      job_id: job.id,
      project: job.project,
      step: step.name,
      reason: `"${from}" led straight to "${to}"`,
    });
  }
}

function usable(job: Job, route: Route | null | undefined, key: string): Route | null {
  if (!route) return null;
  return route.attempts !== undefined && (job.routes[key] ?? 0) >= route.attempts ? null : route;
}

function withTrouble(ending: JobEnding, trouble: string): JobEnding {
  if (ending.type === "failed") return { ...ending, error: `${ending.error}\n${trouble}` };
  if (ending.type === "cancelled")
    return { ...ending, reason: ending.reason ? `${ending.reason}\n${trouble}` : trouble };
  return ending;
}

export function currentDef(job: Job): StepDef {
  const def = job.def.steps.find((it) => it.name === job.step);
  if (!def) throw new Error(`${job.id} is at no step`);
  return def;
}
