/**
 * What client and daemon send each other about jobs and crews. A crew looks like a job with an agent and no steps, so a
 * call that takes a job takes a crew too.
 */
import { z } from "@hono/zod-openapi";
import { CREW_STATUSES } from "../core/model/agent-types.ts";
import { DECISION_STATES } from "../core/model/decision-types.ts";
import { JOB_STATUSES } from "../core/model/job-types.ts";
import { agentId, crewId, decisionId, id, jobId, later, maybe, orNull, text, timeout_ms } from "./basics.ts";

const STEP_STATUSES = [
  "pending",
  "running",
  "waiting",
  "completed",
  "skipped",
  "failed",
  "cancelled",
] as const;

const step = later(() =>
  z.object({
    name: z.string(),
    status: z.enum(STEP_STATUSES),
    started_at_ms: z.number().nullable(),
    finished_at_ms: z.number().nullable(),
    error: z.string().nullable(),
    exit_code: z.number().nullable(),
    entries: z.number(),
    decision_id: decisionId.nullable(),
    child_id: jobId.nullable(),
  }),
);
export type StepView = z.infer<ReturnType<typeof step>>;

const block = later(() =>
  z.object({
    decision_id: decisionId,
    step: z.string().nullable(),
    /** The decision's state. It blocks while it is pending, and after it ended without an answer. */
    state: z.enum([...DECISION_STATES, "deleted"]),
    title: z.string(),
    /** It has a rule about who may answer: only a yes frees the job, and a resume does not. */
    ruled: maybe(z.literal(true)),
  }),
);
export type BlockView = z.infer<ReturnType<typeof block>>;

export const job = later(() =>
  z
    .object({
      id: jobId,
      project: z.string(),
      name: z.string(),
      kind: z.string(),
      /** Where it runs, of the machines that share the log; null if there is only one. */
      machine: z.string().nullable(),
      status: z.enum(JOB_STATUSES),
      step: z.string().nullable(),
      steps: z.array(step()),
      vars: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
      /** The folder the job works in, if it has one of its own. */
      workspace: z.string().nullable(),
      branch: z.string().nullable(),
      pending_decision: decisionId.nullable(),
      /** Decisions that keep its next step (or the one named) from starting. */
      blocked_by: z.array(block()),
      error: z.string().nullable(),
      /** The step at which the job failed, if it did. */
      failed_step: z.string().nullable(),
      reason: z.string().nullable(),
      cwd: z.string(),
      parent: jobId.nullable(),
      by: z.string(),
      cancelled_by: z.string().nullable(),
      /** Set while the job is being cancelled: what runs is being stopped or, if `tidying`, its on_cancel is running. */
      cancelling: z.object({ by: z.string(), tidying: z.boolean() }).nullable(),
      created_at_ms: z.number(),
      finished_at_ms: z.number().nullable(),
    })
    .openapi("Job"),
);
export type JobView = z.infer<ReturnType<typeof job>>;

export const crew = later(() =>
  job()
    .extend({
      id: crewId,
      status: z.enum(CREW_STATUSES),
      /** Its newest agent. */
      agent_id: agentId,
    })
    .openapi("Crew"),
);
export type CrewView = z.infer<ReturnType<typeof crew>>;

export const run = later(() => z.union([job(), crew()]).openapi("Run"));
/** What `oj run` started. */
export type RunView = z.infer<ReturnType<typeof run>>;

export const jobQuery = z.object({ status: maybe(z.enum(JOB_STATUSES)), project: maybe(text) });
export type JobQuery = z.infer<typeof jobQuery>;
export const crewQuery = z.object({ status: maybe(z.enum(CREW_STATUSES)), project: maybe(text) });
export type CrewQuery = z.infer<typeof crewQuery>;

/** With `now`, a running `on_cancel` is ended too. */
export const cancelBody = z.object({ reason: orNull(text), now: z.boolean().default(false) }).strict();
export const waitBody = z
  .object({
    ids: z.array(id).min(1).max(1000),
    all: z.boolean().default(false),
    timeout_ms: timeout_ms.optional(),
  })
  .strict();
