/**
 * What client and daemon send each other about several decisions: chains, the dashboard, a caller's own, and
 * auto-close.
 */
import { z } from "@hono/zod-openapi";
import { decisionId, id, later, projectName, timeout_ms } from "./basics.ts";
import { decision } from "./decisions.ts";

const link = later(() =>
  decision()
    .omit({ context: true, fields: true, questions: true, action: true, edited: true })
    .openapi("ChainLink"),
);
/** A decision in a chain, without what it takes to decide it. */
export type ChainLink = z.infer<ReturnType<typeof link>>;

const branch: () => z.ZodType<ChainBranch, ChainBranch> = later(() =>
  link()
    .extend({
      followed_by: z.array(z.lazy(() => branch())),
    })
    .openapi("ChainBranch"),
);
export interface ChainBranch extends ChainLink {
  followed_by: ChainBranch[];
}

export const chain = later(() =>
  z
    .object({
      /** The decisions it came from, starting with the first. */
      ancestors: z.array(link()),
      decision: link(),
      descendants: z.array(branch()),
      /** An ancestor that is no longer kept. */
      gone: decisionId.nullable(),
      is_cycle: z.boolean(),
      /** How many descendants were left out because there are too many. */
      left_out: z.number(),
    })
    .openapi("Chain"),
);
export type ChainView = z.infer<ReturnType<typeof chain>>;

/** How many decisions there are, and the first of them. */
const section = later(() => z.object({ count: z.number(), decisions: z.array(decision()) }));
export type Section = z.infer<ReturnType<typeof section>>;

export const dashboard = later(() =>
  z
    .object({
      pending: z.number(),
      by_urgency: z.object({ high: section(), medium: section(), low: section() }),
      /** Those of `pending` that block nothing yet; by_urgency has the others. */
      aside: section(),
      /** Pending for longer than `after_ms`. */
      stale: section().extend({ after_ms: z.number() }),
      /** Settled in any way within `within_ms`, newest first. */
      recent: section().extend({ within_ms: z.number() }),
    })
    .openapi("Dashboard"),
);
export type DashboardView = z.infer<ReturnType<typeof dashboard>>;

/** Whose decisions to return. An agent is known by its token and need not give `as` or `session`. */
export const ownQuery = z.object({
  project: projectName,
  as: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .transform((it) => it ?? null),
  session: id.optional().transform((it) => it ?? null),
});
export type OwnQuery = z.input<typeof ownQuery>;

export const own = later(() =>
  z
    .object({
      caller: z.object({ kind: z.enum(["agent", "session", "name", "person"]), name: z.string() }),
      /** The caller's requests that nobody has settled. */
      pending: z.array(decision()),
      /** The caller's settled requests whose outcome they don't have yet. */
      news: z.array(decision()),
      /** For a person: how many decisions wait for an answer in the project, by urgency. */
      inbox: z.object({ high: z.number(), medium: z.number(), low: z.number() }).nullable(),
    })
    .openapi("Own"),
);
export type OwnView = z.infer<ReturnType<typeof own>>;

export const autoCloseBody = z
  .object({ project: projectName, threshold_ms: timeout_ms, dry_run: z.boolean().default(false) })
  .strict();
export type AutoCloseBody = z.input<typeof autoCloseBody>;

export const autoClosed = later(() =>
  z
    .object({
      dry_run: z.boolean(),
      threshold_ms: z.number(),
      /** The decisions that expired or, in a dry run, would have. */
      expired: z.array(decision()),
    })
    .openapi("AutoClosed"),
);
export type AutoCloseResult = z.infer<ReturnType<typeof autoClosed>>;
