/** What travels about jobs and crews. A crew is seen as a job is, with no steps and an agent: whatever asks for a job takes it too. */
import { z } from "@hono/zod-openapi";
import { CREW_STATUSES } from "../core/model/agent-types.ts";
import { DECISION_STATES } from "../core/model/decision-types.ts";
import { JOB_STATUSES } from "../core/model/job-types.ts";
import { agentId, crewId, decisionId, id, jobId, maybe, orNull, text, timeout_ms } from "./basics.ts";

const STEP_STATUSES = [
  "pending",
  "running",
  "waiting",
  "completed",
  "skipped",
  "failed",
  "cancelled",
] as const;

const step = z.object({
  name: z.string(),
  status: z.enum(STEP_STATUSES),
  started_at_ms: z.number().nullable(),
  finished_at_ms: z.number().nullable(),
  error: z.string().nullable(),
  exit_code: z.number().nullable(),
  entries: z.number(),
  decision_id: decisionId.nullable(),
  child_id: jobId.nullable(),
});
export type StepView = z.infer<typeof step>;

const block = z.object({
  decision_id: decisionId,
  step: z.string().nullable(),
  /** Of the decision: it blocks while it is pending, and after it ended without an answer. */
  state: z.enum([...DECISION_STATES, "deleted"]),
  title: z.string(),
});
export type BlockView = z.infer<typeof block>;

export const job = z
  .object({
    id: jobId,
    project: z.string(),
    name: z.string(),
    kind: z.string(),
    status: z.enum(JOB_STATUSES),
    step: z.string().nullable(),
    steps: z.array(step),
    vars: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    /** The folder the job works in, where it has one of its own. */
    workspace: z.string().nullable(),
    branch: z.string().nullable(),
    pending_decision: decisionId.nullable(),
    /** Decisions that keep its next step (or the one named) from beginning. */
    blocked_by: z.array(block),
    error: z.string().nullable(),
    /** Where a failed job failed. */
    failed_step: z.string().nullable(),
    reason: z.string().nullable(),
    cwd: z.string(),
    parent: jobId.nullable(),
    by: z.string(),
    cancelled_by: z.string().nullable(),
    /** It is being cancelled: what runs is being stopped, or, `tidying`, its on_cancel runs. */
    cancelling: z.object({ by: z.string(), tidying: z.boolean() }).nullable(),
    created_at_ms: z.number(),
    finished_at_ms: z.number().nullable(),
  })
  .openapi("Job");
export type JobView = z.infer<typeof job>;

export const crew = job
  .extend({
    id: crewId,
    status: z.enum(CREW_STATUSES),
    /** The newest of its agents. */
    agent_id: agentId,
  })
  .openapi("Crew");
export type CrewView = z.infer<typeof crew>;

export const run = z.union([job, crew]).openapi("Run");
/** What `oj run` started. */
export type RunView = z.infer<typeof run>;

export const jobQuery = z.object({ status: maybe(z.enum(JOB_STATUSES)), project: maybe(text) });
export type JobQuery = z.infer<typeof jobQuery>;
export const crewQuery = z.object({ status: maybe(z.enum(CREW_STATUSES)), project: maybe(text) });
export type CrewQuery = z.infer<typeof crewQuery>;

/** With `now`, an `on_cancel` that runs is ended too. */
export const cancelBody = z.object({ reason: orNull(text), now: z.boolean().default(false) }).strict();
export const waitBody = z
  .object({
    ids: z.array(id).min(1).max(1000),
    all: z.boolean().default(false),
    timeout_ms: timeout_ms.optional(),
  })
  .strict();
