/** What people saw: every card and mail that the servers took, what it offers of which change, and when it came. */
import type { TakenMail } from "../../fakes/servers/mail.ts";
import { headerOf, textOf } from "../../fakes/servers/mail.ts";
import type { Message } from "../../fakes/servers/slack.ts";

/** Something that a person can act on: a card with buttons, or a mail with links. */
export interface Offer {
  change: number;
  at: number;
  by: "slack" | "mail";
  card: Message | null;
  mail: TakenMail | null;
}

export interface Seen {
  card(message: Message): void;
  mail(mail: TakenMail): void;
  /** The first that this person can act on; a digest only says that there is something. */
  offer(change: number): Promise<Offer>;
  /** Every time that a change was shown as open. */
  opened: { change: number; at: number; by: "slack" | "mail" }[];
  /** When it was first shown as over, by channel. */
  closed: Map<string, number>;
  /** A click on this card was answered: what it offers has an effect. */
  answered(card: Message): void;
  /** Cards that still offer something, and which changes. */
  openCards(): { card: Message; changes: number[] }[];
  /** Whoever was asked by mail, and has not been told that it is over. */
  openMails(): { to: string; change: number }[];
  count: { cards: number; rewritten: number; mails: number; doubled: number };
}

export const titleOf = (change: number) => `Should change ${change} go in?`;
const TITLE = /Should change (\d+) go in\?/g;

export function watchPeople(): Seen {
  const offers = new Map<number, Offer>();
  const waiting = new Map<number, (offer: Offer) => void>();
  const cards = new Map<string, { card: Message; changes: number[] }>();
  const mailIds = new Set<string>();
  const lastMail = new Map<string, { to: string; change: number; isOpen: boolean }>();
  const seen: Seen = {
    opened: [],
    closed: new Map(),
    count: { cards: 0, rewritten: 0, mails: 0, doubled: 0 },

    card(message) {
      if (message.thread_ts !== undefined) return;
      const at = Date.now();
      const place = `${message.channel} ${message.ts}`;
      const isNew = !cards.has(place);
      seen.count[isNew ? "cards" : "rewritten"]++;
      const { all, open, isList } = changesIn(message);
      cards.set(place, { card: message, changes: open });
      for (const change of open) {
        seen.opened.push({ change, at, by: "slack" });
        note({ change, at, by: "slack", card: isList ? null : message, mail: null });
      }
      for (const change of all.filter((it) => !open.includes(it))) over(change, "slack", at);
    },

    mail(mail) {
      const now = Date.now();
      seen.count.mails++;
      const [to = ""] = mail.to;
      const id = `${to} ${headerOf(mail, "Message-ID")}`;
      if (mailIds.has(id)) return void seen.count.doubled++; // a mailbox shows it once
      mailIds.add(id);
      const text = textOf(mail).replace(/\s+/g, " ");
      const changes = numbersIn(text);
      const isOver = text.includes("Nothing is left to do here");
      if (!isOver && text.includes("was not taken")) return;
      const isList = /^\d+ decisions? wait/.test(headerOf(mail, "Subject") ?? "");
      for (const change of changes) {
        lastMail.set(`${to} ${change}`, { to, change, isOpen: !isOver });
        if (isOver) over(change, "mail", now);
        else {
          const at = mail.since_ms; // it was written by then
          seen.opened.push({ change, at, by: "mail" });
          note({ change, at, by: "mail", card: null, mail: isList ? null : mail });
        }
      }
    },

    offer(change) {
      const found = offers.get(change);
      return found ? Promise.resolve(found) : new Promise((resolve) => waiting.set(change, resolve));
    },
    answered: ({ channel, ts }) => void cards.delete(`${channel} ${ts}`),
    openCards: () => [...cards.values()].filter((it) => it.changes.length > 0),
    openMails: () => [...lastMail.values()].filter((it) => it.isOpen),
  };

  function note(offer: Offer): void {
    const { change, card, mail } = offer;
    const known = offers.get(change);
    if (known && (known.card || known.mail || !(card || mail))) return;
    offers.set(change, offer);
    waiting.get(change)?.(offer);
    waiting.delete(change);
  }

  function over(change: number, by: string, at: number): void {
    const name = `${change} ${by}`;
    if (!seen.closed.has(name)) seen.closed.set(name, at);
  }

  return seen;
}

function changesIn({ blocks }: Message): { all: number[]; open: number[]; isList: boolean } {
  const text = (it: unknown) => JSON.stringify(it);
  const all = numbersIn(text(blocks));
  const rows = blocks.filter((it) => it.accessory?.type === "button");
  if (rows.length > 0) return { all, open: numbersIn(text(rows)), isList: true };
  const hasButtons = blocks.some((it) => it.type === "actions");
  return { all, open: hasButtons ? all : [], isList: false };
}

function numbersIn(text: string): number[] {
  return [...new Set([...text.matchAll(TITLE)].map((it) => Number(it[1])))];
}
