/** Mail: what is asked goes out by SMTP; replies come back through `oj mail receive`, or are read from a mailbox. */
import fs from "node:fs/promises";
import path from "node:path";
import type { MailReader } from "../../../channel-ports.ts";
import { domainOf } from "../../../channels/mail/address.ts";
import {
  askLetter,
  claimedLetter,
  digestLetter,
  freeLetter,
  settledDigestLetter,
  settledLetter,
} from "../../../channels/mail/compose.ts";
import type { MailPart } from "../../../channels/mail/ids.ts";
import { messageId } from "../../../channels/mail/ids.ts";
import type { Letter } from "../../../channels/mail/letter.ts";
import { mailSettings } from "../../../channels/mail/settings.ts";
import { isOpen, isOutcome } from "../../../core/model/face.ts";
import { settledWords } from "../../../core/reach/settled-words.ts";
import { keptKey } from "../../secrets/kept-key.ts";
import type { Channel, MakeChannel, Outgoing, Sent } from "../channel.ts";
import { poster } from "./mail-post.ts";
import { mailReplies, replyToken } from "./mail-replies.ts";

export const make: MakeChannel = async ({ config, door, ports, secret, dir, link }): Promise<Channel> => {
  const settings = mailSettings(config);
  await fs.mkdir(dir, { recursive: true, mode: 0o700 });
  const key = keptKey(path.join(dir, "key"));
  const password = (file: string | null) => async () => (file === null ? null : await secret(file));
  const sender = await ports.channels.smtp({ ...settings.smtp, password: password(settings.passwordFile) });
  const post = poster(settings, sender);
  const domain = domainOf(settings.from.address);
  const receive = mailReplies({
    settings,
    key,
    door,
    post,
    clock: ports.clock,
    newId,
    link: (decision, person) => link({ decision, person, kind: "mail", option: null }),
  });
  let reader: MailReader | null = null;

  function newId(): string {
    return `<${Buffer.from([...ports.random(16)]).toString("hex")}@${domain}>`;
  }

  function idOf({ decision, key: notice }: Outgoing, part: MailPart): string {
    return messageId({ decision: decision.id, key: notice, part }, domain, key.sign);
  }

  function digestPart({ decision, others }: Outgoing): MailPart {
    const ids = [decision.id, ...others.map((it) => it.decision.id)];
    return `digest${key.sign("digest", ...ids).slice(0, 8)}`;
  }

  async function send(message: Outgoing): Promise<Sent> {
    const { decision, address, others, names, earlier } = message;
    if (isOutcome(message)) return outcome(message);
    if (others.length > 0) {
      const message_id = idOf(message, digestPart(message));
      await post({ to: address, letter: digest(message), message_id, thread: [], token: null });
      return { ref: message_id };
    }
    const message_id = idOf(message, "asked");
    const [name = ""] = names;
    const token = settings.replyTo === null ? null : replyToken(decision.id, name, key);
    const thread = earlier === null ? [] : [threadOf(earlier)];
    await post({ to: address, letter: await asking(message), message_id, thread, token });
    // whoever has the first mail hears what became of it as an answer to that one, and once
    return { ref: earlier === null ? message_id : null };
  }

  /** What became of a question, for the person who asked it. */
  async function outcome(message: Outgoing): Promise<Sent> {
    const { decision, person, address } = message;
    const letter = settledLetter(message, settledWords(decision, person?.hours?.zone), "asker");
    await post({ to: address, letter, message_id: idOf(message, "outcome"), thread: [], token: null });
    return { ref: null };
  }

  /** A mail that was sent stays as it is: what became of the decision is told by another one, in its thread. */
  async function change(message: Outgoing, ref: string): Promise<Sent> {
    const { decision, card, now, person, address } = message;
    const first = threadOf(ref);
    const [, told] = ref.split(" ");
    if (message.others.length > 0) return digestSettled(message, ref);
    if (isOpen(decision)) return claimed(message, ref);
    const part = decision.delivery.state === "failed" ? "failed" : "settled";
    if (decision.state === "pending" || told === part || told === "failed") return { ref };
    const letter = settledLetter(
      { decision, card, now },
      settledWords(decision, person?.hours?.zone),
      "asked",
    );
    await post({ to: address, letter, message_id: idOf(message, part), thread: [first], token: null });
    return { ref: `${first} ${part}` };
  }

  /** One mail once all of it is settled: one for each decision would be what a digest is there to avoid. */
  async function digestSettled(message: Outgoing, ref: string): Promise<Sent> {
    const { decision, others, person, address } = message;
    const first = threadOf(ref);
    const all = [decision, ...others.map((it) => it.decision)];
    if (ref !== first || all.some((it) => it.state === "pending")) return { ref };
    const letter = settledDigestLetter(
      [message, ...others].map(({ card, decision: it }) => ({
        title: card.title,
        words: settledWords(it, person?.hours?.zone),
      })),
    );
    await post({ to: address, letter, message_id: idOf(message, "settled"), thread: [first], token: null });
    return { ref: `${first} settled` };
  }

  /** Whoever is on it knows. The others are told, also when that is over. */
  async function claimed(message: Outgoing, ref: string): Promise<Sent> {
    const { decision, person, address } = message;
    const claim = decision.claimed;
    const [first = "", told = ""] = ref.split(" ");
    const [, was] = /^claimed(\d+)$/.exec(told) ?? [];
    if (claim ? claim.by === person?.name : was === undefined) return { ref };
    const part: MailPart = claim ? `claimed${claim.until_ms}` : `free${Number(was)}`;
    if (told === part) return { ref };
    const letter = claim ? claimedLetter(message) : freeLetter(message, await message.link(null));
    await post({ to: address, letter, message_id: idOf(message, part), thread: [first], token: null });
    return { ref: `${first} ${part}` };
  }

  async function asking(message: Outgoing): Promise<Letter> {
    const { decision, card, now, reason, names, url, isWhole } = message;
    const links = new Map<string, string>();
    for (const option of decision.options) {
      const link = await message.link(option.key);
      if (link !== null) links.set(option.key, link);
    }
    return askLetter({
      decision,
      card,
      now,
      reason,
      name: names.join(", "),
      isWhole,
      links,
      open: await message.link(null),
      claim: await message.claim(),
      url,
      replies: settings.replyTo === null ? "none" : settings.approveByReply ? "all" : "harmless",
    });
  }

  return {
    kind: "mail",
    name: config.name,
    room: null,
    addressOf: ({ addresses }) => addresses.mail ?? null,
    send,
    change,
    /** Whoever has the first mail finds this one in its thread. */
    retract: (message) => change(message, idOf(message, "asked")),
    receive,
    async check() {
      const trouble = reader?.trouble() ?? null;
      if (trouble !== null) return `replies can't be read: ${trouble}`;
      return sender.verify().then(
        () => null,
        (error: Error) => `${settings.smtp.host}: ${error.message}`,
      );
    },
    async listen() {
      const { imap } = settings;
      if (imap === null) return;
      const delivery = { recipient: null, extension: null, sender: null };
      reader = await ports.channels.imap({
        ...imap,
        password: password(settings.imapPasswordFile),
        read: async (mail) => {
          const { type, words } = await receive(mail, delivery);
          ports.journal.info("a mail was read", { type, words });
        },
      });
    },
    close: async () => reader?.close(),
  };
};

/** A reference is the Message-ID of the first mail, and what was told after it. */
function threadOf(ref: string): string {
  return ref.split(" ")[0] ?? "";
}

/** In a digest, each decision is answered in the inbox. */
function digest({ decision, card, now, others, url }: Outgoing): Letter {
  const base = url.slice(0, -decision.id.length);
  return digestLetter(
    [{ decision, card }, ...others].map((it) => ({ ...it, now, url: `${base}${it.decision.id}` })),
  );
}
