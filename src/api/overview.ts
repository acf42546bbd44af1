/** What travels of decisions seen together, and of somebody's own. */
import { z } from "@hono/zod-openapi";
import { decisionId, id, projectName, timeout_ms } from "./basics.ts";
import { decision } from "./decisions.ts";

const link = decision
  .omit({ context: true, fields: true, questions: true, action: true })
  .openapi("ChainLink");
/** A decision in a chain: without what it takes to decide it. */
export type ChainLink = z.infer<typeof link>;

const branch: z.ZodType<ChainBranch, ChainBranch> = link
  .extend({
    followed_by: z.array(z.lazy(() => branch)),
  })
  .openapi("ChainBranch");
export interface ChainBranch extends ChainLink {
  followed_by: ChainBranch[];
}

export const chain = z
  .object({
    /** Those it came from, the first of all first. */
    ancestors: z.array(link),
    decision: link,
    descendants: z.array(branch),
    /** An ancestor that is no longer kept. */
    gone: decisionId.nullable(),
    is_cycle: z.boolean(),
    /** Descendants that are too many to be told. */
    left_out: z.number(),
  })
  .openapi("Chain");
export type ChainView = z.infer<typeof chain>;

/** How many there are, and the first of them. */
const section = z.object({ count: z.number(), decisions: z.array(decision) });
export type Section = z.infer<typeof section>;

export const dashboard = z
  .object({
    pending: z.number(),
    by_urgency: z.object({ high: section, medium: section, low: section }),
    /** Pending for longer than this. */
    stale: section.extend({ after_ms: z.number() }),
    /** Settled within this time, in whatever way, newest first. */
    recent: section.extend({ within_ms: z.number() }),
  })
  .openapi("Dashboard");
export type DashboardView = z.infer<typeof dashboard>;

/** Who asks what is theirs: nothing more than an agent's token has to be said. */
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

export const own = z
  .object({
    caller: z.object({ kind: z.enum(["agent", "session", "name", "person"]), name: z.string() }),
    /** What they asked and nobody has settled. */
    pending: z.array(decision),
    /** What came of their requests and they don't have in hand yet. */
    news: z.array(decision),
    /** For a person: all that waits for an answer in the project. */
    inbox: z.object({ high: z.number(), medium: z.number(), low: z.number() }).nullable(),
  })
  .openapi("Own");
export type OwnView = z.infer<typeof own>;

export const autoCloseBody = z
  .object({ project: projectName, threshold_ms: timeout_ms, dry_run: z.boolean().default(false) })
  .strict();
export type AutoCloseBody = z.input<typeof autoCloseBody>;

export const autoClosed = z
  .object({
    dry_run: z.boolean(),
    threshold_ms: z.number(),
    /** Those that expired, or would have. */
    expired: z.array(decision),
  })
  .openapi("AutoClosed");
export type AutoCloseResult = z.infer<typeof autoClosed>;
