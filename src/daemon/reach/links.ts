/**
 * Links in messages. A link is bound to a decision, a person and an option, or none, or to "I'm on it". Looking at it
 * changes nothing, whoever looks and with whatever program; only its button answers, and once. It ends with the decision.
 */
import path from "node:path";
import type { Form } from "../../channels/page/form.ts";
import { readForm } from "../../channels/page/form.ts";
import type { Asked } from "../../channels/page/page.ts";
import { redacted } from "../../channels/redacted.ts";
import { shownRule } from "../../channels/text/rule.ts";
import { isOpen } from "../../core/model/face.ts";
import { mendText } from "../../core/text/safe-text.ts";
import type { Ports } from "../../ports.ts";
import type { PublicDoor, Reply, Visit } from "../http/public-door.ts";
import { keptKey } from "../secrets/kept-key.ts";
import type { Door } from "./channel.ts";
import type { Ask, Replies } from "./link-replies.ts";
import { json, pages } from "./link-replies.ts";
import type { Link } from "./link-token.ts";
import { linkIn, tokenOf } from "./link-token.ts";
import { usedLinks } from "./used-links.ts";

export interface Links {
  /** The address of its page. The same link always has the same address. */
  to(link: Link): string;
  door: PublicDoor;
}

const PATH = "/a/";
/** A page scrolls. What a policy can see through is shorter than this. */
const LONGEST_RULE = 100_000;
const MAX_BODY = 128 * 1024;

/** `base` is where people reach the daemon's port; `dir` keeps the key, made with the first link, so that links outlive the daemon. */
export async function startLinks(
  { dir, base, door }: { dir: string; base: () => string; door: Door },
  { clock, journal }: Pick<Ports, "clock" | "journal">,
): Promise<Links> {
  const key = keptKey(path.join(dir, "link-key"));
  const used = await usedLinks(path.join(dir, "used-links.json"), journal);

  async function visit({ method, path, headers, body }: Visit): Promise<Reply> {
    const isPost = method === "POST";
    const reply = isPost && !/\btext\/html\b/.test(headers.accept ?? "") ? json : pages;
    const token = path.slice(PATH.length);
    const link = linkIn(token, key);
    const found = link && (await look(link));
    const option = found?.decision.options.find((it) => it.key === link?.option) ?? null;
    if (!link || !found || (link.option !== null && option === null)) return reply.sorry(404, ...NOWHERE);
    if (isPost ? found.decision.state !== "pending" : !isOpen(found.decision))
      return reply.settled(isPost ? 409 : 200, found, isPost ? LATE : null);
    if (used.has(token)) return reply.sorry(isPost ? 409 : 200, ...USED);
    if (isPost && link.rule !== undefined)
      return remember(link, { hash: link.rule, scope: scopeIn(body) }, found, reply, option);
    const rule = await offered(link, found);
    const ask = (given: Form): Ask => ({ option, ...actionsOf(link), given, rule });
    if (!isPost) return reply.asked(200, found, ask(new Map()), null);
    return link.isClaim
      ? claim(link, found, ask(new Map()), reply)
      : answer(link, found, ask(formIn(body)), reply);
  }

  async function answer(link: Link, before: Asked, ask: Ask, reply: Replies): Promise<Reply> {
    const { decision: id, person, via } = link;
    const given = readForm(before.decision, ask.option, ask.given);
    const answered = await door.answer({ id, person, via, ...given, sawAll: before.showsAll });
    if (answered.type === "taken" && answered.decision.held) await used.add(ask.action);
    const now = (await look(link)) ?? before;
    if (answered.type === "taken" && isOpen(answered.decision))
      return reply.settled(200, now, { isGood: true, text: PARTLY });
    if (answered.type === "taken") return reply.settled(200, now, TAKEN);
    const { words } = answered;
    return isOpen(now.decision)
      ? reply.asked(422, now, ask, { isGood: false, text: words })
      : reply.settled(409, now, { isGood: false, text: words });
  }

  /** The rule that the page shows whole, and where its button goes; null: this page does not offer one. */
  async function offered(link: Link, { decision, person, showsAll }: Asked): Promise<Ask["rule"]> {
    if (!showsAll || (link.option !== null && link.option !== "approve")) return null;
    const offer = await door.rule({ id: decision.id, person });
    if (offer.type === "refused") return null;
    const shown = shownRule(offer.found, LONGEST_RULE);
    const { isClaim: _, ...answer } = link;
    const rule = shown.type === "whole" ? { rule: shown.hash } : {};
    return { shown, action: tokenOf({ ...answer, option: "approve", ...rule }, key) };
  }

  async function remember(
    link: Link,
    { hash, scope }: { hash: string; scope: "job" | "project" | null },
    before: Asked,
    reply: Replies,
    option: Ask["option"],
  ): Promise<Reply> {
    const { decision: id, person, via } = link;
    const answered =
      scope === null ? null : await door.remember({ id, person, via, hash, scope, sawAll: before.showsAll });
    const now = (await look(link)) ?? before;
    if (answered?.type === "taken") return reply.settled(200, now, REMEMBERED[scope ?? "job"]);
    const note = { isGood: false, text: answered?.words ?? "Choose how long it is remembered." };
    if (!isOpen(now.decision)) return reply.settled(409, now, note);
    const rule = await offered(link, now);
    return reply.asked(422, now, { option, ...actionsOf(link), given: new Map(), rule }, note);
  }

  /** Whoever is on it can still answer on the same page. */
  async function claim(link: Link, before: Asked, ask: Ask, reply: Replies): Promise<Reply> {
    const { decision: id, person, via } = link;
    const answered = await door.claim({ id, person, via });
    const now = (await look(link)) ?? before;
    if (answered.type === "taken") return reply.asked(200, now, ask, CLAIMED);
    const note = { isGood: false, text: answered.words };
    return isOpen(now.decision) ? reply.asked(409, now, ask, note) : reply.settled(409, now, note);
  }

  /** Where the forms of a page go: what a claim's page answers with is a link of its own. */
  function actionsOf(link: Link): Pick<Ask, "action" | "claim"> {
    const { isClaim: _, rule: __, ...answer } = link;
    return {
      action: tokenOf(answer, key),
      claim: tokenOf({ ...answer, option: null, isClaim: true }, key),
    };
  }

  /** A link may travel far, and whoever has it needs no login. */
  async function look({ decision, person }: Link): Promise<Asked | null> {
    const found = await door.decision(decision, person);
    return found && { ...redacted(found), person, now: clock.now() };
  }

  return {
    to: (link) => `${base().replace(/\/+$/, "")}${PATH}${tokenOf(link, key)}`,
    door: { path: PATH, methods: ["GET", "HEAD", "POST"], maxBytes: MAX_BODY, visit },
  };
}

const NOWHERE = [
  "This link leads nowhere",
  "It may have been cut short on its way, or the decision is no longer kept.",
] as const;
const USED = [
  "This link was used",
  "The answer it gave was taken back. Answer in the inbox, or wait for the next message.",
] as const;
const PARTLY = "What you said is recorded. It takes more than one person.";
const TAKEN = { isGood: true, text: "Thank you: your answer was taken." };
const REMEMBERED = {
  job: {
    isGood: true,
    text: "Thank you: it was approved, and the rule approves the same again until whoever asked has ended.",
  },
  project: {
    isGood: true,
    text: "Thank you: it was approved, and the rule approves the same again in this project.",
  },
};
const CLAIMED = { isGood: true, text: "You are on it. Whoever else was asked can see that." };
const LATE = { isGood: false, text: "Your answer was not taken: this was settled before." };

/** What a browser's form sends. Anything else (an action of ntfy has a text) says nothing more than the link does. */
function formIn(body: Buffer): Form {
  const form = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body.toString("utf8")))
    if (FIELD.test(name)) form.set(name, [...(form.get(name) ?? []), mendText(value)]);
  return form;
}

/** How long the rule is to count: what the person chose on the page, and nothing without that. */
function scopeIn(body: Buffer): "job" | "project" | null {
  const [scope, ...more] = new URLSearchParams(body.toString("utf8")).getAll("scope");
  return more.length === 0 && (scope === "job" || scope === "project") ? scope : null;
}

const FIELD = /^(choice|words)\d{0,2}$|^instead$/;
