/**
 * What client and daemon send each other about the daemon itself: its health, its refusals, and queries for events and
 * logs.
 */
import { z } from "@hono/zod-openapi";
import type { RefusalCode } from "../core/model/errors.ts";
import { flag, id, later, maybe, stringOf, text } from "./basics.ts";

export const error = later(() =>
  z
    .object({
      error: z.object({
        code: stringOf<RefusalCode>(),
        message: z.string(),
        hint: z.string().nullable(),
        details: maybe(z.record(z.string(), z.unknown())),
      }),
    })
    .openapi("Error"),
);
export type ErrorBody = z.infer<ReturnType<typeof error>>;

export const health = later(() =>
  z
    .object({
      running: z.boolean(),
      pid: z.number(),
      version: z.string(),
      uptime_ms: z.number(),
      socket: z.string(),
      port: z.number().nullable(),
      seq: z.number(),
      pending: z.number(),
      /** Jobs with a step in progress, which a stop would interrupt. */
      running_jobs: z.number(),
      /** Agents in their terminals, which keep running without a daemon. */
      live_agents: z.number(),
      memory_bytes: z.number(),
      /** Whether the person wants no notices: `oj quiet`. */
      quiet: z.boolean(),
      /** What is wrong with the store now, or was found wrong when the daemon started. */
      warnings: z.array(z.string()),
    })
    .openapi("Health"),
);
export type DaemonStatus = z.infer<ReturnType<typeof health>>;

/** The pid is in the query, because older daemons accept only `kill` in the body. */
export const stopQuery = z.object({ pid: z.coerce.number().int().positive().optional() });
export const stopBody = z.object({ kill: z.boolean().default(false) }).strict();

const eventFilter = z.object({
  after: maybe(z.coerce.number().int().min(0)),
  project: maybe(text),
  job: maybe(id),
  decision: maybe(id),
});
export type EventFilter = z.infer<typeof eventFilter>;
/** Here `types` is a comma-separated list. */
export const eventQuery = eventFilter.extend({ types: z.string().max(2000).optional() });
export interface EventQuery extends EventFilter {
  /** Event types, or prefixes with a star: `decision:*`. */
  types?: string[];
}

export const logQuery = z.object({
  /** Return only this many lines from the end. */
  tail: maybe(z.coerce.number().int().min(0).max(10_000_000)),
  follow: maybe(flag),
});
export type LogQuery = z.infer<typeof logQuery>;
export const jobLogQuery = logQuery.extend({
  /** For a crew: what its gates printed, in place of its terminal. A job's log has that anyway. */
  gates: maybe(flag),
});
export type JobLogQuery = z.infer<typeof jobLogQuery>;
