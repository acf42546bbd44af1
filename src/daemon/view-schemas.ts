/** What goes out, as zod: it writes /openapi.json. The types in api.ts are what the code is checked against. */
import { z } from "@hono/zod-openapi";
import type {
  BatchResult,
  DaemonStatus,
  DecisionBrief,
  DecisionView,
  ErrorBody,
  JobView,
  ProjectStatus,
  ResolveResult,
} from "../api.ts";
import type { CrewView } from "../api-crews.ts";
import type { AutoCloseResult, DashboardView, OwnView } from "../api-overview.ts";
import { CREW_STATUSES } from "../core/agent-types.ts";
import { DECISION_STATES, SOURCES, URGENCIES } from "../core/decision-types.ts";
import { JOB_STATUSES } from "../core/job-types.ts";

const source = z.enum(SOURCES);
const urgency = z.enum(URGENCIES);

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
  texts: z.array(z.string().nullable()).optional(),
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
    state: z.enum(DECISION_STATES),
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
    claimed_session: z.string().optional(),
    asked_in: z.object({ job_id: z.string(), step: z.string(), run_id: z.string() }).optional(),
    template: z.string().nullable(),
    blocks: z.array(z.string()),
    on_cancel: z.enum(["keep", "unblock"]),
    aftermath: z.string().nullable(),
    parent: z.string().nullable(),
    predecessor: z.string().nullable(),
    supersedes: z.string().nullable(),
    superseded_by: z.string().nullable(),
    recipient: z.string().nullable(),
    successor: z.string().nullable(),
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
export const decisionBrief = decision
  .pick({
    id: true,
    project: true,
    source: true,
    state: true,
    title: true,
    urgency: true,
    owner: true,
    agent_id: true,
    created_at_ms: true,
    held: true,
  })
  .extend({ group: z.string() })
  .openapi("DecisionBrief");
export const timeline = z
  .object({
    events: z.array(
      z.looseObject({ seq: z.number(), at_ms: z.number(), type: z.string(), project: z.string() }),
    ),
    next: z.number().nullable(),
  })
  .openapi("Timeline");
export const webLink = z.object({ url: z.string(), expires_at_ms: z.number() });
export const webLogin = z.object({
  id: z.string(),
  user: z.string(),
  browser: z.string(),
  created_at_ms: z.number(),
  used_at_ms: z.number(),
});
export const webLoginsEnded = z.object({ ended: z.number() });
export const mcpToken = z.object({ name: z.string(), project: z.string(), created_at_ms: z.number() });
export const mcpTokenMade = z.object({
  name: z.string(),
  project: z.string(),
  token: z.string(),
  url: z.string(),
});
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
    cancelled_by: z.string().nullable(),
    cancelling: z.object({ by: z.string(), tidying: z.boolean() }).nullable(),
    created_at_ms: z.number(),
    finished_at_ms: z.number().nullable(),
  })
  .openapi("Job");
export const crew = job.extend({ status: z.enum(CREW_STATUSES), agent_id: z.string() }).openapi("Crew");
export const run = z.union([job, crew]).openapi("Run");
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
    dismissed: z.boolean(),
    gate: z.string().nullable(),
    cooling_until_ms: z.number().nullable(),
    last_message: z.string(),
    error: z.object({ kind: z.string(), message: z.string() }).nullable(),
    exit: z.object({ code: z.number().nullable(), signal: z.string().nullable() }).nullable(),
    notes: z.array(z.string()),
    silent: z
      .object({ off: z.enum(["all", "http"]), by: z.string().nullable(), says: z.string() })
      .nullable(),
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
    live_agents: z.number(),
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
  .object({ files: z.array(z.string()), problems: z.array(problem), warnings: z.array(problem) })
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
      crews: z.array(crew),
      pending: z.array(decision),
      agents: z.array(agent),
      owed: z.array(decision),
    }),
  )
  .openapi("Projects");

const section = z.object({ count: z.number(), decisions: z.array(decision) });
export const dashboard = z
  .object({
    pending: z.number(),
    by_urgency: z.object({ high: section, medium: section, low: section }),
    stale: section.extend({ after_ms: z.number() }),
    recent: section.extend({ within_ms: z.number() }),
  })
  .openapi("Dashboard");
export const own = z
  .object({
    caller: z.object({ kind: z.enum(["agent", "session", "name", "person"]), name: z.string() }),
    pending: z.array(decision),
    news: z.array(decision),
    inbox: z.object({ high: z.number(), medium: z.number(), low: z.number() }).nullable(),
  })
  .openapi("Own");
const link = decision.omit({ context: true, fields: true, questions: true, action: true });
export const chain = z
  .object({
    ancestors: z.array(link),
    decision: link,
    /** Each with `followed_by`, a list of the same. */
    descendants: z.array(z.looseObject({ id: z.string(), followed_by: z.array(z.unknown()) })),
    gone: z.string().nullable(),
    is_cycle: z.boolean(),
    left_out: z.number(),
  })
  .openapi("Chain");
export const autoClosed = z
  .object({ dry_run: z.boolean(), threshold_ms: z.number(), expired: z.array(decision) })
  .openapi("AutoClosed");

/** The build stops here when a description and the type that it describes part ways. */
type Describes<T, S extends z.ZodType> = T extends z.input<S> ? true : never;
const agree: [
  Describes<DecisionView, typeof decision>,
  Describes<DecisionBrief, typeof decisionBrief>,
  Describes<JobView, typeof job>,
  Describes<CrewView, typeof crew>,
  Describes<DaemonStatus, typeof health>,
  Describes<ErrorBody, typeof error>,
  Describes<ResolveResult, typeof resolved>,
  Describes<BatchResult[], typeof batch>,
  Describes<ProjectStatus[], typeof projects>,
  Describes<DashboardView, typeof dashboard>,
  Describes<OwnView, typeof own>,
  Describes<AutoCloseResult, typeof autoClosed>,
] = [true, true, true, true, true, true, true, true, true, true, true, true];
void agree;
