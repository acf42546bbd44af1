/** What the other schemas share: limits, ids as people type them, query flags, and strings of a narrower type. */
import { z } from "@hono/zod-openapi";
import { SOURCES, URGENCIES } from "../core/model/decision-types.ts";
import type { AgentId, CrewId, DecisionId, JobId } from "../core/model/ids.ts";

/**
 * A schema that is made when it is first asked for. Those of responses only describe /openapi.json: made at each start,
 * they would cost each of them.
 */
export function later<T extends z.ZodType>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** The most characters in a text, and in a context as people will read it. */
export const MAX_TEXT = 200_000;

export const text = z.string().max(MAX_TEXT);
/** An id or the beginning of one, as people type it. */
export const id = z.string().min(1).max(100);
export const sessionId = z.string().min(1).max(200);
/** A process: its pid and, where the system tells us, when it started, because pids are reused. */
export const processName = z.string().regex(/^\d{1,10}(\.\d{1,20})?$/);
export const source = z.enum(SOURCES);
export const urgency = z.enum(URGENCIES);
export const flag = z.enum(["true", "false", "1", "0"]).transform((it) => it === "true" || it === "1");
export const projectName = z.string().min(1).max(500);
export const folder = z.string().min(1).max(4096);
export const timeout_ms = z
  .number()
  .int()
  .min(0)
  .max(31 * 86_400_000);

/** A field that is left out or null becomes null. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((it) => it ?? null);
}

/** A string that the daemon makes. Its type is narrower than what /openapi.json says. */
export function stringOf<T extends string>(): z.ZodType<T, T> {
  return z.string() as unknown as z.ZodType<T, T>;
}

/**
 * Like `optional()`, but the field is left out, never undefined. The generator of /openapi.json doesn't support zod's
 * own `exactOptional`.
 */
export function maybe<T extends z.ZodType>(schema: T): z.ZodExactOptional<T> {
  return schema.optional() as unknown as z.ZodExactOptional<T>;
}

export const decisionId = stringOf<DecisionId>();
export const jobId = stringOf<JobId>();
export const crewId = stringOf<CrewId>();
export const agentId = stringOf<AgentId>();

export const idParam = z.object({
  id: id.openapi({ param: { name: "id", in: "path" }, example: "dec-7k3m9x2p4q" }),
});
export const nameParam = z.object({ name: z.string().min(1).max(200) });
export const projectQuery = z.object({ project: text.optional() });
export const folderQuery = z.object({ cwd: folder });
export const timelineQuery = z.object({ after: z.coerce.number().int().min(0).optional() });
export const emptyBody = z.object({}).strict();
export const messageBody = z.object({ message: orNull(text) }).strict();

/** Who may answer, and how many have to say yes; one no is enough. */
export const rule = z.object({
  /** Only these; absent: whoever may answer in the project. */
  approvers: maybe(z.array(z.string())),
  min: maybe(z.number()),
  /** Whether whoever started the work may answer. */
  self: maybe(z.enum(["deny", "allow"])),
  /** A yes takes a passkey that is at most this old. */
  fresh: maybe(z.string()),
});
