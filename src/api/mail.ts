/** A mail that came in, as `oj mail receive` hands it over. */
import { z } from "@hono/zod-openapi";
import { later } from "./basics.ts";

const address = z.string().max(1000);
const ids = z.array(z.string().max(1000)).max(200);

const mail = z
  .object({
    from: z.array(address).max(100),
    to: z.array(address).max(300),
    return_path: address.nullable(),
    subject: z.string().max(2000),
    message_id: z.string().max(1000).nullable(),
    references: ids,
    text: z.string().max(200_000),
    is_automatic: z.boolean(),
    report: z
      .object({ message_ids: ids, action: z.string().max(200).nullable(), reason: z.string().max(1000) })
      .strict()
      .nullable(),
  })
  .strict();

/** What the mail server's environment says about the delivery. */
const delivery = z
  .object({
    recipient: address.nullable(),
    extension: address.nullable(),
    sender: address.nullable(),
  })
  .strict();

export const mailBody = z.object({ mail, delivery }).strict();
export type MailBody = z.input<typeof mailBody>;

export const mailReceipt = later(() =>
  z
    .object({
      /** `taken`: it answered a decision. `refused`: whoever wrote it was told why. */
      type: z.enum(["taken", "refused", "ignored", "bounced"]),
      words: z.string(),
    })
    .openapi("MailReceipt"),
);
