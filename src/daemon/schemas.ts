/** What may come in and what goes out, as zod: it checks every body and query, and writes /openapi.json. */
import { z } from "@hono/zod-openapi";
import type {
  BatchResult,
  DaemonStatus,
  DecisionView,
  ErrorBody,
  JobView,
  ProjectStatus,
  ResolveResult,
} from "../api.ts";
import { SOURCES, URGENCIES } from "../core/decision-types.ts";
import { JOB_STATUSES } from "../core/job-types.ts";

/** Options that a body may carry at all; how many a decision may have is core's rule, with its own words. */
const MANY = 100_000;

/** Lists and objects within one another, in what is taken as it is: `JSON.stringify` has only so much stack. */
const MAX_DEPTH = 100;

const text = z.string().max(200_000);
const id = z.string().min(1).max(100);
const nullable = text.nullish().transform((it) => it ?? null);
const sessionId = z.string().min(1).max(200);
const source = z.enum(SOURCES);
const urgency = z.enum(URGENCIES);
const flag = z.enum(["true", "false", "1", "0"]).transform((it) => it === "true" || it === "1");
const timeout_ms = z
  .number()
  .int()
  .min(0)
  .max(31 * 86_400_000);

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((it) => isWithin(it, depth - 1));
}

export const idParam = z.object({
  id: id.openapi({ param: { name: "id", in: "path" }, example: "dec-7k3m9x2p4q" }),
});

export const decisionQuery = z.object({
  all: flag.optional(),
  source: source.optional(),
  urgency: urgency.optional(),
  blocks: id.optional(),
  project: text.optional(),
});
export const projectQuery = z.object({ project: text.optional() });
export const folderQuery = z.object({ cwd: z.string().min(1).max(4096) });
export const jobQuery = z.object({ status: z.enum(JOB_STATUSES).optional(), project: text.optional() });
export const logQuery = z.object({
  tail: z.coerce.number().int().min(0).max(10_000_000).optional(),
  follow: flag.optional(),
});
export const eventQuery = z.object({
  after: z.coerce.number().int().min(0).optional(),
  types: z.string().max(2000).optional(),
  project: text.optional(),
  job: id.optional(),
  decision: id.optional(),
});

export const screenQuery = z.object({
  ansi: flag.optional(),
  history: z.coerce.number().int().min(0).max(10_000).optional(),
});
export const sendBody = z.object({ text: z.string().min(1).max(100_000) }).strict();
export const signalBody = z
  .object({ signal: z.enum(["done", "escalate", "fail"]), message: nullable })
  .strict();

const answer = {
  option: z
    .string()
    .max(200)
    .nullish()
    .transform((it) => it ?? null),
  choices: z.array(z.array(z.number().int()).max(50)).max(20).default([]),
  text: nullable,
  message: nullable,
};
export const resolveBody = z.object(answer).strict();
export const batchBody = z.object({ ids: z.array(id).min(1).max(1000), ...answer }).strict();
export const awaitBody = z.object({ timeout_ms: timeout_ms.optional() }).strict();
export const reasonBody = z.object({ reason: nullable }).strict();
export const messageBody = z.object({ message: nullable }).strict();
export const emptyBody = z.object({}).strict();
export const stopBody = z.object({ kill: z.boolean().default(false) }).strict();
export const waitBody = z
  .object({
    ids: z.array(id).min(1).max(1000),
    all: z.boolean().default(false),
    timeout_ms: timeout_ms.optional(),
  })
  .strict();
export const requestBody = z
  .object({
    project: z.string().min(1).max(500),
    cwd: z.string().min(1).max(4096),
    as: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .transform((it) => it ?? null),
    session: sessionId.nullish().transform((it) => it ?? null),
    prompt: text,
    options: z.array(z.object({ label: text, description: nullable }).strict()).max(MANY),
    recommend: z
      .number()
      .int()
      .nullish()
      .transform((it) => it ?? null),
    context: z
      .unknown()
      .refine((it) => isWithin(it, MAX_DEPTH), `nested more than ${MAX_DEPTH} deep`)
      .optional(),
    urgency: urgency.nullish().transform((it) => it ?? null),
    template: text.nullish().transform((it) => it ?? null),
    blocks: z.array(id).max(100).default([]),
    on_cancel: z
      .enum(["keep", "unblock"])
      .nullish()
      .transform((it) => it ?? null),
    parent: id.nullish().transform((it) => it ?? null),
    predecessor: id.nullish().transform((it) => it ?? null),
  })
  .strict();
export const runBody = z
  .object({
    cwd: z.string().min(1).max(4096),
    project: z.string().min(1).max(500),
    command: z.string().min(1).max(500),
    argv: z.array(text).max(1000).default([]),
    named: z.record(z.string(), text).default({}),
    env: z.record(z.string(), z.string()).default({}),
  })
  .strict();
export const checkBody = z
  .object({ cwd: z.string().min(1).max(4096), files: z.array(z.string().max(4096)).max(1000).default([]) })
  .strict();

// What goes out. These describe; the types in api.ts are what the code is checked against.

const option = z.object({
  number: z.number(),
  key: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  recommended: z.boolean(),
  effect: z.string(),
});
const answered = z.object({
  chosen: z.number().nullable(),
  choices: z.array(z.array(z.number())),
  labels: z.array(z.string()),
  text: z.string().nullable(),
  message: z.string().nullable(),
  by: z.string(),
  via: z.string(),
  resolved_at_ms: z.number(),
});
export const decision = z
  .object({
    id: z.string(),
    project: z.string(),
    source,
    state: z.enum(["pending", "resolved", "dismissed", "superseded", "withdrawn", "expired"]),
    title: z.string(),
    context: z.string(),
    fields: z.record(z.string(), z.unknown()),
    urgency,
    owner: z.object({
      kind: z.enum(["job", "crew", "requester"]),
      id: z.string(),
      name: z.string(),
      step: z.string().optional(),
    }),
    agent_id: z.string().nullable(),
    requested_by: z.string().nullable(),
    session: z.string().nullable(),
    template: z.string().nullable(),
    blocks: z.array(z.string()),
    on_cancel: z.enum(["keep", "unblock"]),
    aftermath: z.string().nullable(),
    parent: z.string().nullable(),
    predecessor: z.string().nullable(),
    supersedes: z.string().nullable(),
    superseded_by: z.string().nullable(),
    recipient: z.string().nullable(),
    questions: z.array(z.unknown()),
    action: z.unknown().nullable(),
    options: z.array(option),
    created_at_ms: z.number(),
    answer: answered.nullable(),
    held: z
      .object({ answer: answered, given: z.unknown(), held_at_ms: z.number(), release_at_ms: z.number() })
      .nullable(),
    ended: z.object({ reason: z.string(), by: z.string(), at_ms: z.number() }).nullable(),
    delivery: z.object({
      state: z.enum(["none", "owed", "delivered", "acknowledged", "failed"]),
      attempts: z.number(),
      error: z.string().nullable(),
      at_ms: z.number().nullable(),
    }),
  })
  .openapi("Decision");
export const job = z
  .object({
    id: z.string(),
    project: z.string(),
    name: z.string(),
    kind: z.string(),
    status: z.enum(JOB_STATUSES),
    step: z.string().nullable(),
    steps: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        started_at_ms: z.number().nullable(),
        finished_at_ms: z.number().nullable(),
        error: z.string().nullable(),
        exit_code: z.number().nullable(),
        entries: z.number(),
        decision_id: z.string().nullable(),
        child_id: z.string().nullable(),
      }),
    ),
    vars: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    workspace: z.string().nullable(),
    branch: z.string().nullable(),
    pending_decision: z.string().nullable(),
    blocked_by: z.array(
      z.object({
        decision_id: z.string(),
        step: z.string().nullable(),
        state: z.string(),
        title: z.string(),
      }),
    ),
    error: z.string().nullable(),
    failed_step: z.string().nullable(),
    reason: z.string().nullable(),
    cwd: z.string(),
    parent: z.string().nullable(),
    by: z.string(),
    created_at_ms: z.number(),
    finished_at_ms: z.number().nullable(),
  })
  .openapi("Job");
export const agent = z
  .object({
    id: z.string(),
    project: z.string(),
    name: z.string(),
    kind: z.string(),
    owner: z.object({
      kind: z.enum(["job", "crew"]),
      id: z.string(),
      name: z.string(),
      step: z.string().optional(),
    }),
    status: z.string(),
    incarnation: z.number(),
    conversation: z.string().nullable(),
    decision_id: z.string().nullable(),
    last_message: z.string(),
    error: z.object({ kind: z.string(), message: z.string() }).nullable(),
    exit: z.object({ code: z.number().nullable(), signal: z.string().nullable() }).nullable(),
    cwd: z.string(),
    created_at_ms: z.number(),
    changed_at_ms: z.number(),
    owed: z.array(z.object({ decision_id: z.string().nullable(), state: z.string(), attempts: z.number() })),
    prompt: z.object({ kind: z.string(), tool: z.string() }).nullable(),
  })
  .openapi("Agent");
export const error = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      hint: z.string().nullable(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .openapi("Error");
export const health = z
  .object({
    running: z.boolean(),
    pid: z.number(),
    version: z.string(),
    uptime_ms: z.number(),
    socket: z.string(),
    port: z.number().nullable(),
    seq: z.number(),
    pending: z.number(),
    running_jobs: z.number(),
    memory_bytes: z.number(),
    warnings: z.array(z.string()),
  })
  .openapi("Health");
export const resolved = z.object({ decision, option: option.nullable() }).openapi("Resolved");
export const batch = z
  .array(z.union([z.object({ id: z.string(), decision }), z.object({ id: z.string() }).extend(error.shape)]))
  .openapi("Batch");
const problem = z.object({
  path: z.string(),
  line: z.number(),
  column: z.number(),
  length: z.number(),
  message: z.string(),
  hint: z.string().optional(),
  excerpt: z.string(),
});
export const checked = z
  .object({ files: z.array(z.string()), problems: z.array(problem) })
  .openapi("Checked");
export const commands = z
  .object({
    commands: z.array(
      z.object({
        name: z.string(),
        usage: z.string(),
        description: z.string().nullable(),
        path: z.string(),
        line: z.number(),
      }),
    ),
    problems: z.array(problem),
  })
  .openapi("Commands");
export const started = z
  .union([z.object({ job_id: z.string() }), z.object({ crew_id: z.string() })])
  .openapi("Started");
export const projects = z
  .array(
    z.object({
      project: z.string(),
      jobs: z.array(job),
      pending: z.array(decision),
      agents: z.array(agent),
    }),
  )
  .openapi("Projects");

/** The build stops here when a description and the type that it describes part ways. */
type Describes<T, S extends z.ZodType> = T extends z.input<S> ? true : never;
const agree: [
  Describes<DecisionView, typeof decision>,
  Describes<JobView, typeof job>,
  Describes<DaemonStatus, typeof health>,
  Describes<ErrorBody, typeof error>,
  Describes<ResolveResult, typeof resolved>,
  Describes<BatchResult[], typeof batch>,
  Describes<ProjectStatus[], typeof projects>,
] = [true, true, true, true, true, true, true];
void agree;
