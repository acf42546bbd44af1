/** What calls that ask for a decision, answer one or list them send. */
import { z } from "@hono/zod-openapi";
import { DECISION_STATES, VIAS } from "../core/model/decision-types.ts";
import { OUTCOMES } from "../core/model/outcome.ts";
import { LONGEST_CLAIM_MS, LONGEST_DEADLINE_MS } from "../core/model/reach-types.ts";
import { contextOf } from "../core/text/context-of.ts";
import {
  flag,
  folder,
  id,
  MAX_TEXT,
  maybe,
  orNull,
  processName,
  projectName,
  sessionId,
  source,
  text,
  timeout_ms,
  urgency,
} from "./basics.ts";

import { passkeyBrought } from "./people.ts";

/** The name of an agent or a script that asks. */
const askerName = z.string().min(1).max(200);

/** The most options a body may carry. How many a decision may have is a rule in core, with its own message. */
const MANY = 100_000;

/**
 * How deep lists and objects may be nested in a value that we take as it is: `JSON.stringify` has only so much stack.
 */
const MAX_DEPTH = 100;

const MOST_PROCESSES = 1000;

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((it) => isWithin(it, depth - 1));
}

const answer = {
  choices: z.array(z.array(z.number().int()).max(50)).max(20).default([]),
  /** An option by its key or label: "cancel", also for decisions where numbers answer questions. */
  option: orNull(z.string().max(2000)),
  text: orNull(text),
  /** A text for each of several questions. `text` is for the questions that have none here. */
  texts: z.array(orNull(text)).max(20).default([]),
  message: orNull(text),
};
/** One decision may also be answered with a change: what the agent's call shall have in place of its input. */
const input = z
  .record(z.string(), z.unknown())
  .refine((it) => isWithin(it, MAX_DEPTH), { error: `nested more than ${MAX_DEPTH} deep`, abort: true });
export const answerBody = z.object({ ...answer, input: orNull(input) }).strict();
/** With a passkey, where the rule asks for one: it has signed exactly the rest of this. */
export const resolveBody = answerBody.extend({ passkey: orNull(passkeyBrought) }).strict();
export type ResolveBody = z.input<typeof resolveBody>;
export const batchBody = z.object({ ids: z.array(id).min(1).max(1000), ...answer }).strict();
const lasting = z.number().int().min(1).max(LONGEST_CLAIM_MS);
/** Null: as long as the escalation says, else half an hour. */
export const claimBody = z.object({ for_ms: orNull(lasting) }).strict();
export const snoozeBody = z.object({ for_ms: lasting }).strict();
export const awaitBody = z.object({ timeout_ms: timeout_ms.optional() }).strict();

export const requestBody = z
  .object({
    project: projectName,
    cwd: folder,
    /** Null: a person is asking. A name: an agent or script that has one pending request at a time. */
    as: orNull(askerName),
    /**
     * The session of an agent client that this comes from. It counts only if `oj init claude` has installed hooks
     * there.
     */
    session: orNull(sessionId),
    /** The processes above the asker (`pid.start`), nearest first. One of them may be a session's client. */
    processes: z.array(processName).max(MOST_PROCESSES).default([]),
    /** The asker lives as long as its client: after `/clear`, the session that its environment names is an old one. */
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
    /**
     * What happens to the work it blocks if it ends without an answer. The work stays blocked unless this field or the
     * template says otherwise.
     */
    on_cancel: orNull(z.enum(["keep", "unblock"])),
    parent: orNull(id),
    predecessor: orNull(id),
    /** False: a request about a failure need not offer to file it. */
    file_check: z.boolean().default(true),
    /** What happens while nobody answers: the name of an escalation of the project. */
    escalation: orNull(z.string().max(200)),
    /** When the default is taken, counted from now. */
    deadline_ms: orNull(z.number().int().min(1).max(LONGEST_DEADLINE_MS)),
    /** The option that is taken then: its key, label or number. Without it, the decision stays pending. */
    default: orNull(z.string().max(2000)),
    /** False: the asker goes on with other work. It blocks nothing until they stop, wait for it or ask again. */
    wait: z.boolean().default(true),
    /** What goes on meanwhile, in the asker's words; only with `wait: false`, at most 500 characters. */
    meanwhile: orNull(z.string()),
    /** Made by the caller, new for each question. Sending the same key again returns the same request. */
    request_key: orNull(z.string().min(16).max(100)),
  })
  .strict();
export type RequestBody = z.input<typeof requestBody>;
/** `as`: the name that it was asked under, if whoever asked takes it back. */
export const withdrawBody = z.object({ reason: orNull(text), as: orNull(askerName) }).strict();
export type WithdrawBody = z.input<typeof withdrawBody>;

const moment = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const decisionQuery = z.object({
  /** Return settled decisions too, not only pending ones. */
  all: maybe(flag),
  source: maybe(source),
  urgency: maybe(urgency),
  /** What waits for the decision: a job or step by its id or the beginning of one, anything else in full. */
  blocks: maybe(id),
  /** Only those that have been pending for longer than `decisions.stale_after`. */
  stale: maybe(flag),
  /** True: only what work waits for. False: only what nothing waits for yet. */
  blocking: maybe(flag),
  project: maybe(text),
  /** The name it was asked under. */
  requested_by: maybe(text),
  /** Any state but `pending` returns settled decisions too. */
  state: maybe(z.enum(DECISION_STATES)),
  /** Words to find in the decision's texts, its answer or the names on it, ignoring case. */
  search: maybe(z.string().max(1000)),
  /** A page of the history, newest first: `limit` decisions older than `before`. */
  limit: maybe(z.coerce.number().int().min(1).max(1000)),
  before: maybe(id),
  /** `settled`: only settled decisions, the last settled first. */
  order: maybe(z.enum(["asked", "settled"])),
  /** How it ended. `answered` includes what was approved, denied or cancelled by an answer. */
  outcome: maybe(z.enum(OUTCOMES)),
  /** Who answered or ended it, ignoring case, and where an answer came from. */
  by: maybe(text),
  via: maybe(z.enum(VIAS)),
  /** When it was settled, or asked if it is pending: from `since_ms` on, and before `until_ms`. */
  since_ms: maybe(moment),
  until_ms: maybe(moment),
});
export type DecisionQuery = z.infer<typeof decisionQuery>;
export const listQuery = decisionQuery.extend({ brief: flag.optional() });
