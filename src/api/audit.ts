/** What is proven about a decision. */
import { z } from "@hono/zod-openapi";
import { later, orNull } from "./basics.ts";

const hash = later(() => z.string().regex(/^[0-9a-f]{64}$/));

export const audit = later(() =>
  z
    .object({
      id: z.string(),
      project: z.string(),
      title: z.string(),
      state: z.string(),
      source: z.string(),
      /** Who asked. */
      requester: z.string(),
      agent_id: z.string().nullable(),
      owner: z.string(),
      machine: z.string().nullable(),
      created_at_ms: z.number(),
      /** Whether its texts were erased, by whom and when: then there are no hashes of them, either. */
      erased: z.object({ by: z.string(), at_ms: z.number() }).nullable(),
      /** The SHA-256 of what the card showed: title, context, fields, questions, action and options, as canonical JSON. */
      card_sha256: hash().nullable(),
      /** That of the exact action that was asked about. */
      action_sha256: hash().nullable(),
      /** Who answered or ended it, and through which door; null while it is pending. */
      by: z.string().nullable(),
      via: z.string().nullable(),
      choice: z.string().array(),
      message: z.string().nullable(),
      answered_at_ms: z.number().nullable(),
      /** That of the action as a person changed it; null if it ran as it was asked. */
      ran_sha256: hash().nullable(),
      /** The policy that answered, and the hash of its text then. */
      policy: z.object({ name: z.string(), hash: z.string() }).nullable(),
      /** What was signed with passkeys, checked again: whether it is for this decision and its card; null: erased. */
      signed: z.array(z.object({ by: z.string(), passkey: z.string(), is_valid: z.boolean().nullable() })),
      delivery: z.object({ state: z.string(), at_ms: z.number().nullable() }),
      /** What is recorded about it, oldest first. */
      events: z.array(
        z.object({
          seq: z.number(),
          at_ms: z.number(),
          type: z.string(),
          by: z.string().nullable(),
          via: z.string().nullable(),
          machine: z.string().nullable(),
        }),
      ),
    })
    .openapi("Audit"),
);
export type AuditView = z.infer<ReturnType<typeof audit>>;

export const eraseBody = z.object({ reason: orNull(z.string().max(2000)) }).strict();
export type EraseBody = z.input<typeof eraseBody>;

export const erased = later(() =>
  z
    .object({
      id: z.string(),
      /** So many events had texts of it. */
      events: z.number(),
      /** Why they are still in a file somewhere; null: they are gone. A start of the daemon tries again. */
      problem: z.string().nullable(),
    })
    .openapi("Erased"),
);
export type ErasedView = z.infer<ReturnType<typeof erased>>;
