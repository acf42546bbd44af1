/** What may come in and what goes out about sessions that oj did not start. */
import { z } from "@hono/zod-openapi";
import { ENTRY_KINDS } from "../core/queue-types.ts";
import { flag, id, processName, sessionId, text } from "./schemas.ts";

const recipient = {
  project: z.string().min(1).max(500),
  session: sessionId.optional(),
  as: z.string().min(1).max(200).optional(),
};
const isOne = (it: { session?: string | undefined; as?: string | undefined }) =>
  (it.session === undefined) !== (it.as === undefined);
const ONE = "give either session or as";
export const injectBody = z
  .object({
    ...recipient,
    id: id.optional(),
    kind: z.enum(["message", "reminder"]).default("message"),
    text,
  })
  .strict()
  .refine(isOne, ONE);
export const drainBody = z
  .object({ ...recipient, drain_id: id, limit: z.number().int().min(1).max(1000).default(100) })
  .strict()
  .refine(isOne, ONE);
/** A week: no hook is held longer. */
const MAX_WAIT_S = 7 * 86_400;

export const hookQuery = z.object({
  part: z.enum(["turn-clear", "turn-mark", "turn-check"]).optional(),
  soft: flag.optional(),
  wait_s: z.coerce.number().int().min(1).max(MAX_WAIT_S).optional(),
  // a hook that can't say it says the rest
  client: z
    .string()
    .optional()
    .transform((it) => (processName.safeParse(it).success ? it : undefined)),
});
export const hook = z.object({}).loose();

export const queue = z
  .object({
    recipient: z.string(),
    project: z.string(),
    waiting: z.number(),
    answers: z.number(),
    in_hand: z.number(),
    left_out: z.number(),
    count: z.number(),
    oldest_at_ms: z.number().nullable(),
    changed_at_ms: z.number(),
  })
  .openapi("Queue");
export const drained = z
  .object({
    recipient: z.string(),
    drain_id: z.string(),
    entries: z.array(
      z.object({
        id: z.string(),
        number: z.number(),
        kind: z.enum(ENTRY_KINDS),
        text: z.string(),
        decision_id: z.string().nullable(),
        from: z.string(),
        at_ms: z.number(),
      }),
    ),
    left_out: z.number(),
    waiting: z.number(),
    text: z.string(),
  })
  .openapi("Drained");
