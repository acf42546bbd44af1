/** Message-IDs: the same for every try of a message, and what a bounce says it is about. */

export interface MailId {
  decision: string;
  /** The notice's key. */
  key: string;
  /** Which message about that notice: the first, what became of it … */
  part: MailPart;
}

/**
 * A claim has its end in it, and so has the news that nobody is on it any more: there may be several. A digest has a mark of what is in it: one with more in it is another
 * mail, which nobody may take for the first one again.
 */
export type MailPart =
  | "asked"
  | "settled"
  | "failed"
  | "outcome"
  | `claimed${number}`
  | `free${number}`
  | `digest${string}`;

type Sign = (...parts: readonly string[]) => string;

export function messageId({ decision, key, part }: MailId, domain: string, sign: Sign): string {
  return `<${decision}.${key}.${part}.${sign("mail", decision, key, part)}@${domain}>`;
}

/** What a Message-ID of ours is about; null if it is not ours. */
export function readMessageId(text: string, sign: Sign): MailId | null {
  const found =
    /^<([\w-]+)\.(\w+)\.(asked|settled|failed|outcome|(?:claimed|free)\d{1,16}|digest[a-z2-7]{8})\.([a-z2-7]{26})@[^<>\s]+>$/.exec(
      text.trim(),
    );
  if (!found) return null;
  const [, decision = "", key = "", part = "", signature] = found;
  const id = { decision, key, part: part as MailPart };
  return sign("mail", decision, key, part) === signature ? id : null;
}
