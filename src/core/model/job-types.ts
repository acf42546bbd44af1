/** What a job and its steps look like in the state. The rules are in `job.ts`. */
import type { Fixed } from "./fixed.ts";
import type { AgentId, DecisionId, JobId, MachineName, RunId } from "./ids.ts";
import type { AgentDef, JobDef, Template, Value } from "./runbook.ts";

export const JOB_STATUSES = ["running", "waiting", "completed", "failed", "cancelled", "suspended"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
export type StepStatus = "pending" | "running" | "waiting" | "completed" | "skipped" | "failed" | "cancelled";

export type Step = Fixed<{
  name: string;
  status: StepStatus;
  /** The run that is under way, or the last one. */
  run_id: RunId | null;
  entries: number;
  started_at_ms: number | null;
  finished_at_ms: number | null;
  error: string | null;
  exit_code: number | null;
  output: string;
  decision_id: DecisionId | null;
  child_id: JobId | null;
  agent_id: AgentId | null;
  choice: Choice | null;
}>;

/** A decision that the job (or only this step of it) waits for. */
export type Block = Fixed<{
  decision_id: DecisionId;
  step: string | null;
}>;

interface Progress {
  /** Where it runs; absent where the log has one machine. A job that another one started runs where that one does. */
  machine?: MachineName;
  status: JobStatus;
  /** False until the workspace exists. */
  prepared: boolean;
  workspace: Workspace | null;
  /** The step the job is at; the step's own status says whether it has begun. */
  step: string | null;
  steps: Step[];
  /** How often each bounded route was taken, by "step.on_fail" and the like. */
  routes: Record<string, number>;
  /** Decisions that must be answered before any further step begins, or before the named step begins. */
  blocked_by: Block[];
  ending: JobEnding | null;
  cancelling: { reason: string | null; by: string } | null;
  error: string | null;
  /** The step at which a failed job failed, and from which it would be resumed. */
  failed_step: string | null;
  reason: string | null;
  /** Who cancelled it; jobs from old logs may not have it. */
  cancelled_by?: string;
  message: string | null;
  created_at_ms: number;
  finished_at_ms: number | null;
}

export type Job = Fixed<JobRecord & Progress>;

export function hasEnded(job: Pick<Job, "status">): boolean {
  return job.status === "completed" || job.status === "failed" || job.status === "cancelled";
}

/** What keeps the job from beginning this step. Nothing blocks the steps that run after a cancel. */
export function blockersOf(
  { blocked_by, ending }: Pick<Job, "blocked_by" | "ending">,
  step: string | null,
): Block[] {
  if (ending?.type === "cancelled") return [];
  return blocked_by.filter((it) => it.step === null || it.step === step);
}

export function isAtPendingStep({ step, steps }: Pick<Job, "step" | "steps">): boolean {
  return steps.some((it) => it.name === step && it.status === "pending");
}

/** Whether the job has reached a step that it can't begin yet. */
export function isBlocked(job: Job): boolean {
  return isAtPendingStep(job) && blockersOf(job, job.step).length > 0;
}

export function stepOf(job: Job, name: string): Step {
  const step = job.steps.find((it) => it.name === name);
  if (!step) throw new Error(`${job.id} has no step ${name}`);
  return step;
}

export interface Workspace {
  type: "folder" | "git";
  path: string;
  branch: string | null;
  /** The repository that a git workspace belongs to, and the commit it began at. */
  repository: string | null;
  start: string | null;
}

/** The parts of the runbook that a job may still need, recorded with it. */
export interface Library {
  jobs: Record<string, JobDef>;
  agents: Record<string, AgentDef>;
  templates: Record<string, Template>;
}

/** How somebody learned that a job or crew failed: they looked at it, waited for it, or don't want to be shown it. */
export const SIGHTS = ["opened", "waited", "dropped"] as const;
export type Sight = (typeof SIGHTS)[number];

/** How a job will end once the step that its `on_done`, `on_fail` or `on_cancel` led to is done. */
export type JobEnding =
  | { type: "completed" }
  /** `chosen`: a person chose that it fails. */
  | { type: "failed"; error: string; step: string | null; chosen?: true }
  | { type: "cancelled"; reason: string | null; by: string };

/** What is settled when a job starts, and never changes. */
export interface JobRecord {
  id: JobId;
  project: string;
  name: string;
  kind: string;
  def: JobDef;
  library: Library;
  vars: Record<string, Value>;
  args: Record<string, Value>;
  locals: Record<string, string>;
  /** Only the variables that the runbook names as `${env.X}`. The whole environment is never recorded. */
  env: Record<string, string>;
  /** Where `oj run` was called, and the project's root. */
  invoke: string;
  root: string;
  cwd: string;
  parent: { job_id: JobId; step: string } | null;
  by: string;
  /** Who that is for rules about who may answer; absent in older records. */
  sponsor?: string;
  max_entries: number;
  /** How long a decision's context command may take, and how much of its output is kept. */
  context_timeout_ms: number;
  context_max_bytes: number;
  /** The job whose environment this one shares: itself, or the topmost job that it was started for. */
  origin: JobId;
}

/** What later steps see as `${decision.<step>.…}`. */
export interface Choice {
  choice: string;
  number: string;
  label: string;
  message: string;
  by: string;
}
