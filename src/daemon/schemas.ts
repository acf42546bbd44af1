/** What may come in, as zod: it checks every body and query, and writes /openapi.json. What goes out is in `view-schemas.ts`. */
import { z } from "@hono/zod-openapi";
import { CREW_STATUSES } from "../core/agent-types.ts";
import { DECISION_STATES, SOURCES, URGENCIES } from "../core/decision-types.ts";
import { JOB_STATUSES } from "../core/job-types.ts";

import { contextOf } from "./context-of.ts";

export * from "./view-schemas.ts";

/** Options that a body may carry at all; how many a decision may have is core's rule, with its own words. */
const MANY = 100_000;

/** Lists and objects within one another, in what is taken as it is: `JSON.stringify` has only so much stack. */
const MAX_DEPTH = 100;

/** Characters of a text, and of a context as people will read it. */
const MAX_TEXT = 200_000;

export const text = z.string().max(MAX_TEXT);
export const id = z.string().min(1).max(100);
const nullable = text.nullish().transform((it) => it ?? null);
export const sessionId = z.string().min(1).max(200);
/** A process by its number and, where the system tells, when it began: a number alone is given again. */
export const processName = z.string().regex(/^\d{1,10}(\.\d{1,20})?$/);
const MOST_PROCESSES = 1000;
const source = z.enum(SOURCES);
const urgency = z.enum(URGENCIES);
export const flag = z.enum(["true", "false", "1", "0"]).transform((it) => it === "true" || it === "1");
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
  requested_by: text.optional(),
  state: z.enum(DECISION_STATES).optional(),
  search: z.string().max(1000).optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  before: id.optional(),
  brief: flag.optional(),
});
export const projectQuery = z.object({ project: text.optional() });
export const folderQuery = z.object({ cwd: z.string().min(1).max(4096) });
export const jobQuery = z.object({ status: z.enum(JOB_STATUSES).optional(), project: text.optional() });
export const crewQuery = z.object({ status: z.enum(CREW_STATUSES).optional(), project: text.optional() });
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

export const timelineQuery = z.object({ after: z.coerce.number().int().min(0).optional() });

export const screenQuery = z.object({
  ansi: flag.optional(),
  history: z.coerce.number().int().min(0).max(10_000).optional(),
});
/** Sent again and again: less of what is above the screen. */
export const screensQuery = z.object({
  ansi: flag.optional(),
  history: z.coerce.number().int().min(0).max(1000).optional(),
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
  texts: z.array(nullable).max(20).default([]),
  message: nullable,
};
export const resolveBody = z.object(answer).strict();
export const batchBody = z.object({ ids: z.array(id).min(1).max(1000), ...answer }).strict();
export const awaitBody = z.object({ timeout_ms: timeout_ms.optional() }).strict();
export const reasonBody = z.object({ reason: nullable }).strict();
/** With `now`, an `on_cancel` that runs is ended too. */
export const cancelBody = z.object({ reason: nullable, now: z.boolean().default(false) }).strict();
export const messageBody = z.object({ message: nullable }).strict();
export const emptyBody = z.object({}).strict();
/** In the query: daemons of an older version know no more of the body than `kill`. */
export const stopQuery = z.object({ pid: z.coerce.number().int().positive().optional() });
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
    processes: z.array(processName).max(MOST_PROCESSES).default([]),
    outlives_session: z.boolean().default(false),
    prompt: text,
    options: z.array(z.object({ label: text, description: nullable }).strict()).max(MANY),
    recommend: z
      .number()
      .int()
      .nullish()
      .transform((it) => it ?? null),
    context: z
      .unknown()
      .refine((it) => isWithin(it, MAX_DEPTH), { error: `nested more than ${MAX_DEPTH} deep`, abort: true })
      .refine((it) => contextOf(it).context.length <= MAX_TEXT, {
        error: `Too big: expected a context of at most ${MAX_TEXT} characters as it is shown`,
      })
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
    file_check: z.boolean().default(true),
    request_key: z
      .string()
      .min(16)
      .max(100)
      .nullish()
      .transform((it) => it ?? null),
  })
  .strict();
export const ownQuery = z.object({
  project: z.string().min(1).max(500),
  as: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .transform((it) => it ?? null),
  session: id.optional().transform((it) => it ?? null),
});
export const autoCloseBody = z
  .object({
    project: z.string().min(1).max(500),
    threshold_ms: timeout_ms,
    dry_run: z.boolean().default(false),
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
export const mcpTokenBody = z
  .object({
    name: z.string().trim().min(1).max(100),
    project: z.string().min(1).max(500),
    cwd: z.string().min(1).max(4096),
  })
  .strict();
export const webLinkBody = z.object({ decision: id.optional() }).strict();
export const nameParam = z.object({ name: z.string().min(1).max(200) });
export const checkBody = z
  .object({ cwd: z.string().min(1).max(4096), files: z.array(z.string().max(4096)).max(1000).default([]) })
  .strict();
