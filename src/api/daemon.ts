/** What travels about the daemon itself: how it is, what it refuses, and which events one asks for. */
import { z } from "@hono/zod-openapi";
import type { RefusalCode } from "../core/model/errors.ts";
import { flag, id, maybe, stringOf, text } from "./basics.ts";

export const error = z
  .object({
    error: z.object({
      code: stringOf<RefusalCode>(),
      message: z.string(),
      hint: z.string().nullable(),
      details: maybe(z.record(z.string(), z.unknown())),
    }),
  })
  .openapi("Error");
export type ErrorBody = z.infer<typeof error>;

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
    /** Jobs with a step under way, which a stop would interrupt. */
    running_jobs: z.number(),
    /** Agents in their terminals, which live on without a daemon. */
    live_agents: z.number(),
    memory_bytes: z.number(),
    /** What is wrong with the store right now, or was found at start. */
    warnings: z.array(z.string()),
  })
  .openapi("Health");
export type DaemonStatus = z.infer<typeof health>;

/** In the query: daemons of an older version know no more of the body than `kill`. */
export const stopQuery = z.object({ pid: z.coerce.number().int().positive().optional() });
export const stopBody = z.object({ kill: z.boolean().default(false) }).strict();

const eventFilter = z.object({
  after: maybe(z.coerce.number().int().min(0)),
  project: maybe(text),
  job: maybe(id),
  decision: maybe(id),
});
export type EventFilter = z.infer<typeof eventFilter>;
/** Types with commas between them. */
export const eventQuery = eventFilter.extend({ types: z.string().max(2000).optional() });
export interface EventQuery extends EventFilter {
  /** Types, or their beginnings with a star: `decision:*`. */
  types?: string[];
}

export const logQuery = z.object({
  /** Last lines only. */
  tail: maybe(z.coerce.number().int().min(0).max(10_000_000)),
  follow: maybe(flag),
});
export type LogQuery = z.infer<typeof logQuery>;
