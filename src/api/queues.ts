/** What client and daemon send each other about queues, and the hooks of sessions that oj did not start. */
import { z } from "@hono/zod-openapi";
import type { Recipient } from "../core/model/queue-types.ts";
import { ENTRY_KINDS } from "../core/model/queue-types.ts";
import {
  decisionId,
  flag,
  id,
  later,
  maybe,
  processName,
  projectName,
  sessionId,
  stringOf,
  text,
} from "./basics.ts";

/** Whose queue: a session by its id, or a name in a project. */
const recipient = {
  project: projectName,
  session: maybe(sessionId),
  as: maybe(z.string().min(1).max(200)),
};
export type RecipientBody = z.input<z.ZodObject<typeof recipient>>;
const isOne = (it: { session?: string | undefined; as?: string | undefined }) =>
  (it.session === undefined) !== (it.as === undefined);
const ONE = "give either session or as";

export const injectBody = z
  .object({
    ...recipient,
    /** Sending the same id twice adds only one entry. */
    id: maybe(id),
    kind: z.enum(["message", "reminder"]).default("message"),
    text,
  })
  .strict()
  .refine(isOne, ONE);
export type InjectBody = z.input<typeof injectBody>;

export const drainBody = z
  .object({
    ...recipient,
    /** The same id returns the same entries again, so a caller whose reply was lost can ask once more. */
    drain_id: id,
    limit: z.number().int().min(1).max(1000).default(100),
  })
  .strict()
  .refine(isOne, ONE);
export type DrainBody = z.input<typeof drainBody>;

export const queue = later(() =>
  z
    .object({
      recipient: stringOf<Recipient>(),
      project: z.string(),
      waiting: z.number(),
      /** How many of those are answers. */
      answers: z.number(),
      /** Entries given to a hook whose response is not known to have arrived. */
      in_hand: z.number(),
      left_out: z.number(),
      /** How many entries were ever added. */
      count: z.number(),
      oldest_at_ms: z.number().nullable(),
      changed_at_ms: z.number(),
    })
    .openapi("Queue"),
);
export type QueueView = z.infer<ReturnType<typeof queue>>;

export const drained = later(() =>
  z
    .object({
      recipient: stringOf<Recipient>(),
      drain_id: z.string(),
      entries: z.array(
        z.object({
          id: z.string(),
          number: z.number(),
          kind: z.enum(ENTRY_KINDS),
          text: z.string(),
          decision_id: decisionId.nullable(),
          from: z.string(),
          at_ms: z.number(),
        }),
      ),
      /** How many older entries were left out because too much was waiting. */
      left_out: z.number(),
      /** How many entries are still waiting. */
      waiting: z.number(),
      /** All entries as one text. */
      text: z.string(),
    })
    .openapi("Drained"),
);
export type DrainResult = z.infer<ReturnType<typeof drained>>;

/** A week: no hook stays open longer. */
const MAX_WAIT_S = 7 * 86_400;

export const hookQuery = z.object({
  /** The client that reports. Without it, the hook belongs to the first one that can read it. */
  of: maybe(z.string().max(40)),
  /** Do only this part of what the hook is for. */
  part: maybe(z.enum(["turn-clear", "turn-mark", "turn-check"])),
  /** A stop is put into the inbox. Hooks that older versions wrote don't say so, and hold turns instead. */
  stops: maybe(flag),
  /** With `stops`: a turn may end once a decision was offered in it. */
  hold: maybe(flag),
  /** A turn without a decision gets a remark, and may end. */
  soft: maybe(flag),
  /** How many seconds a turn that ends with a pending question waits for the answer. */
  wait_s: maybe(z.coerce.number().int().min(1).max(MAX_WAIT_S)),
  /**
   * The client's process, `pid.start`: whatever descends from it belongs to the session. A value that can't be read is
   * ignored, and the rest of the hook still counts.
   */
  client: z
    .string()
    .optional()
    .transform((it) => (processName.safeParse(it).success ? it : undefined)),
});
export type HookQuery = Partial<z.infer<typeof hookQuery>>;
/** A hook as an agent client sends it, and what to tell that client. */
export const hook = z.object({}).loose();
