/** What asks for a decision, and what answers it. */
import { z } from "@hono/zod-openapi";
import { contextOf } from "../core/text/context-of.ts";
import {
  folder,
  id,
  MAX_TEXT,
  orNull,
  processName,
  projectName,
  sessionId,
  text,
  timeout_ms,
  urgency,
} from "./basics.ts";

/** Options that a body may carry at all; how many a decision may have is core's rule, with its own words. */
const MANY = 100_000;

/** Lists and objects within one another, in what is taken as it is: `JSON.stringify` has only so much stack. */
const MAX_DEPTH = 100;

const MOST_PROCESSES = 1000;

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((it) => isWithin(it, depth - 1));
}

const answer = {
  choices: z.array(z.array(z.number().int()).max(50)).max(20).default([]),
  /** An option by its key, where numbers answer questions: "cancel". */
  option: orNull(z.string().max(200)),
  text: orNull(text),
  /** Words for each of several questions; `text` is for those that have none here. */
  texts: z.array(orNull(text)).max(20).default([]),
  message: orNull(text),
};
export const resolveBody = z.object(answer).strict();
export type ResolveBody = z.input<typeof resolveBody>;
export const batchBody = z.object({ ids: z.array(id).min(1).max(1000), ...answer }).strict();
export const awaitBody = z.object({ timeout_ms: timeout_ms.optional() }).strict();

export const requestBody = z
  .object({
    project: projectName,
    cwd: folder,
    /** Null: the person who asks. A name: an agent or script that has one pending request at a time. */
    as: orNull(z.string().min(1).max(200)),
    /** The session of an agent client that this comes from. It counts where `oj init claude` has put its hooks. */
    session: orNull(sessionId),
    /** The processes above the one that asks (`pid.start`), the nearest first: one of them may be a session's client. */
    processes: z.array(processName).max(MOST_PROCESSES).default([]),
    /** The one that asks lives as long as its client does: `/clear` makes the session that its environment names an old one. */
    outlives_session: z.boolean().default(false),
    prompt: text,
    options: z.array(z.object({ label: text, description: orNull(text) }).strict()).max(MANY),
    recommend: orNull(z.number().int()),
    context: z
      .unknown()
      .refine((it) => isWithin(it, MAX_DEPTH), { error: `nested more than ${MAX_DEPTH} deep`, abort: true })
      .refine((it) => contextOf(it).context.length <= MAX_TEXT, {
        error: `Too big: expected a context of at most ${MAX_TEXT} characters as it is shown`,
      })
      .optional(),
    urgency: orNull(urgency),
    template: orNull(text),
    blocks: z.array(id).max(100).default([]),
    /** What becomes of what it blocks when it ends without an answer: it stays blocked, unless told otherwise here or by the template. */
    on_cancel: orNull(z.enum(["keep", "unblock"])),
    parent: orNull(id),
    predecessor: orNull(id),
    /** False: a request about a failure need not offer to file it. */
    file_check: z.boolean().default(true),
    /** Of the caller's making, new for each question: sent again with the same key, it is the same request. */
    request_key: orNull(z.string().min(16).max(100)),
  })
  .strict();
export type RequestBody = z.input<typeof requestBody>;
