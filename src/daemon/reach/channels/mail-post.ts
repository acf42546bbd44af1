/** Hands a letter to the mail server, and says whether another try would help if that fails. */
import type { MailSender } from "../../../channel-ports.ts";
import { isMailFailure } from "../../../channel-ports.ts";
import { domainOf, replyAddress } from "../../../channels/mail/address.ts";
import type { Letter } from "../../../channels/mail/letter.ts";
import type { MailSettings } from "../../../channels/mail/settings.ts";
import { ChannelError } from "../channel.ts";

export interface Posting {
  to: string;
  letter: Letter;
  message_id: string;
  /** What it answers or belongs to, the newest last. */
  thread: readonly string[];
  /** Bound to the decision and the person; null: nobody is asked to reply. */
  token: string | null;
  /** It answers a mail that somebody wrote. */
  isReply?: boolean;
}

export type Post = (posting: Posting) => Promise<void>;

export function poster({ from, replyTo }: MailSettings, sender: MailSender): Post {
  return async ({ to, letter, message_id, thread, token, isReply = false }) => {
    const reply_to = replyTo === null || token === null ? null : replyAddress(replyTo, token);
    // bounces come back where replies do, unless that would make the mail look forged
    const isOurs = reply_to !== null && domainOf(reply_to) === domainOf(from.address);
    await sender
      .send({
        from,
        to,
        envelope_from: isOurs ? reply_to : from.address,
        reply_to,
        ...letter,
        message_id,
        in_reply_to: thread.at(-1) ?? null,
        references: thread,
        automatic: isReply ? "auto-replied" : "auto-generated",
      })
      .catch((error: unknown) => {
        throw failure(error);
      });
  };
}

/** 4xx: later. 5xx: never. No code: nobody knows whether it arrived, so it is sent again under the same Message-ID. */
function failure(error: unknown): unknown {
  if (!isMailFailure(error)) return error;
  const { message, code, isUnsure } = error;
  return new ChannelError(message, { isFinal: code !== null && code >= 500, isUnsure });
}
