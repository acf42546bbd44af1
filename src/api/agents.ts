/** What travels about agents. */
import { z } from "@hono/zod-openapi";
import { agentId, crewId, decisionId, flag, jobId, orNull, text } from "./basics.ts";

const owner = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("job"), id: jobId, name: z.string(), step: z.string() }),
  z.object({ kind: z.literal("crew"), id: crewId, name: z.string() }),
]);

export const agent = z
  .object({
    id: agentId,
    project: z.string(),
    name: z.string(),
    /** The name of its client. */
    kind: z.string(),
    owner,
    status: z.enum(["starting", "working", "idle", "prompting", "errored", "exited", "ended"]),
    incarnation: z.number(),
    conversation: z.string().nullable(),
    /** What it asks, while that is pending. */
    decision_id: decisionId.nullable(),
    /** Its last decision was dismissed, and it has not moved since. */
    dismissed: z.boolean(),
    /** The gate that is being run; when its next attempt is due. */
    gate: z.string().nullable(),
    cooling_until_ms: z.number().nullable(),
    last_message: z.string(),
    error: z.object({ kind: z.string(), message: z.string() }).nullable(),
    exit: z.object({ code: z.number().nullable(), signal: z.string().nullable() }).nullable(),
    /** What is to be known of this start of it, such as a client that is older than what oj is tested with. */
    notes: z.array(z.string()),
    /** Its client does not report: what is switched off, by what (null: not known), and what that costs, in words. */
    silent: z
      .object({ off: z.enum(["all", "http"]), by: z.string().nullable(), says: z.string() })
      .nullable(),
    cwd: z.string(),
    created_at_ms: z.number(),
    changed_at_ms: z.number(),
    /** What it has not got yet. */
    owed: z.array(
      z.object({
        decision_id: decisionId.nullable(),
        state: z.enum(["owed", "delivered"]),
        attempts: z.number(),
      }),
    ),
    prompt: z.object({ kind: z.string(), tool: z.string() }).nullable(),
  })
  .openapi("Agent");
export type AgentView = z.infer<typeof agent>;

export const attached = z.object({ argv: z.array(z.string()) });

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
  .object({ signal: z.enum(["done", "escalate", "fail"]), message: orNull(text) })
  .strict();
