/** What mails say: what is asked, that it still waits, what became of it, and what was wrong with a reply. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import type { NoticeReason } from "../../core/model/reach-types.ts";
import { withOther } from "../../core/text/resolve-hint.ts";
import { describeAge } from "../../core/text/words.ts";
import type { Card } from "../../inbox/card/card.ts";
import { isRememberable } from "../../inbox/card/rule.ts";
import { saidWords } from "../../inbox/card/said.ts";
import { asideNote, claimWords, loudnessOf } from "../../inbox/card/waits.ts";
import { count, deliveryWords, who } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { fitted } from "./fitted.ts";
import type { Choice, Letter, Part } from "./letter.ts";
import { letter } from "./letter.ts";
import { MARK } from "./quoted.ts";

export interface Shown {
  decision: DecisionView;
  card: Card;
  now: number;
}

export interface Asking extends Shown {
  reason: NoticeReason;
  /** Whose answer is wanted. */
  name: string;
  /** Nothing was taken out that might act. */
  isWhole: boolean;
  /** The page of each option by its key. */
  links: ReadonlyMap<string, string>;
  /** The page with all of them; null: there is none. */
  open: string | null;
  /** The page with "I'm on it"; null: somebody is. */
  claim: string | null;
  /** The decision in the inbox. */
  url: string;
  /** Whether a reply is read, and whether it may approve. */
  replies: "all" | "harmless" | "none";
}

/** What a decision is about, and why. A mail program cuts off what is much longer. */
const ROOM = { matter: 16_000, why: 6000 };

/** Whether the mail holds all of what is decided about: otherwise nothing that acts can be answered from it. */
export function holdsAll({ card }: Pick<Shown, "card">, isWhole: boolean): boolean {
  return isWhole && fitted(card.matter, ROOM.matter).hidden === 0;
}

export function askLetter(asking: Asking): Letter {
  const { decision, card, name, now, reason, replies, url, open, claim, isWhole } = asking;
  const matter = fitted(card.matter, ROOM.matter);
  const why = fitted(card.why, ROOM.why);
  const again =
    reason === "reminder" ? `Still waiting, asked ${describeAge(now - decision.created_at_ms)}. ` : "";
  const parts: (Part | null)[] = [
    replies === "none" ? null : { type: "say", text: MARK },
    { type: "say", text: `${again}${who(decision)} asks ${name}:` },
    { type: "title", text: card.title },
    asideNote(decision) === "" ? null : { type: "say", text: `It ${asideNote(decision)}.` },
    { type: "blocks", blocks: matter.blocks },
    hiddenPart(decision, matter.hidden, isWhole),
    { type: "blocks", blocks: why.blocks },
    why.hidden > 0 ? { type: "say", text: `${count(why.hidden, "character")} more in the inbox.` } : null,
    ...choiceParts(asking),
    { type: "say", text: howTo(asking) },
    rememberPart(asking),
    open === null ? null : { type: "link", words: "All of it on one page", url: open },
    claim === null ? null : { type: "link", words: "I'm on it", url: claim },
    { type: "link", words: "In the inbox", url },
    { type: "facts", facts: card.facts },
  ];
  const filled = parts.filter(
    (it): it is Part => it !== null && !(it.type === "blocks" && it.blocks.length === 0),
  );
  return letter(subjectOf(asking, reason === "reminder"), filled);
}

/** Whether choosing it approves what an agent wants to do. */
export function approves({ source }: DecisionView, { acts }: OptionView): boolean {
  return acts && (source === "approval" || source === "plan");
}

/** What is not in the mail, and the hash that the whole of it has. */
function hiddenPart({ action }: DecisionView, hidden: number, isWhole: boolean): Part | null {
  if (hidden === 0 && isWhole) return null;
  const what =
    hidden > 0
      ? `${count(hidden, "character")} hidden.`
      : "Some of it was taken out because it looks secret.";
  const hash =
    action === null || action.sha256 === "" ? "" : ` SHA-256 of all of it: ${action.sha256.slice(0, 16)}.`;
  return { type: "say", text: `${what}${hash} Open it to see the rest: no reply lets anybody act on it.` };
}

function choiceParts(asking: Asking): Part[] {
  const { decision } = asking;
  const { questions, options } = decision;
  if (questions.length > 1)
    return questions.map((asked, at): Part => {
      const { question, options: own } = asked;
      const rows = withOther(asked, own, { label: "Other", description: "in your own words" });
      const choices = rows.map(({ label, description }, index): Choice => {
        return { number: index + 1, label, about: description === null ? [] : [description], link: null };
      });
      return { type: "choices", name: `Question ${at + 1}: ${safeLine(question)}`, choices };
    });
  return [{ type: "choices", name: "Your answer", choices: options.map((it) => choiceOf(it, asking)) }];
}

function choiceOf(option: OptionView, asking: Asking): Choice {
  const { number, key, label, description, effect, recommended, acts } = option;
  const about = [recommended ? "recommended" : "", description ?? "", effect].filter((it) => it !== "");
  const isOpen = acts && !holdsAll(asking, asking.isWhole);
  const url = isOpen ? asking.open : (asking.links.get(key) ?? null);
  return { number, label, about, link: url === null ? null : { words: isOpen ? "Open" : "", url } };
}

/** A rule is accepted where it is shown, tried on history: on its page. */
function rememberPart(asking: Asking): Part | null {
  const url = asking.links.get("approve");
  if (url === undefined || !isRememberable(asking.decision) || !holdsAll(asking, asking.isWhole)) return null;
  return { type: "link", words: "Approve, and remember it", url: `${url}#remember` };
}

function howTo(asking: Asking): string {
  const { decision, replies } = asking;
  const several = decision.questions.length > 1;
  const link = several ? "Answer on the page below." : "Follow a link and press the button of its page.";
  if (replies === "none") return link;
  const reply = several
    ? "Or reply with a number for each question, each on a line of its own."
    : "Or reply with a number first, and words if you like.";
  const isWhole = holdsAll(asking, asking.isWhole);
  const isBound = (it: OptionView) =>
    it.acts && (!isWhole || (replies === "harmless" && approves(decision, it)));
  const bound = several ? [] : decision.options.filter(isBound).map((it) => `"${safeLine(it.label)}"`);
  return [link, reply, bound.length > 0 ? `${bound.join(", ")}: by link only.` : ""].join(" ").trimEnd();
}

/** What became of it, for everybody who got the first mail, and for whoever asked. */
export function settledLetter(shown: Shown, words: string, to: "asked" | "asker"): Letter {
  const { decision, card } = shown;
  const delivery = decision.answer ? deliveryWords(decision) : null;
  const message = decision.answer?.message ?? null;
  const parts: Part[] = [
    { type: "say", text: to === "asker" ? "What became of your question:" : "Nothing is left to do here:" },
    { type: "title", text: card.title },
    { type: "say", text: safeLine(words) },
    ...(message === null
      ? []
      : [{ type: "blocks", blocks: [{ type: "said", by: "With the message", text: message }] } as const]),
    ...(delivery === null ? [] : [{ type: "say", text: capital(delivery) } as const]),
    { type: "facts", facts: card.facts },
  ];
  return letter(subjectOf(shown, true), parts);
}

/** Somebody is on it, for the others who were asked. */
export function claimedLetter(shown: Shown): Letter {
  return letter(subjectOf(shown, true), [
    { type: "say", text: `Nothing to do for now: ${claimWords(shown.decision, shown.now) ?? ""}.` },
    { type: "title", text: shown.card.title },
  ]);
}

/** Nobody is on it any more, for those who were told that there is nothing to do. */
export function freeLetter(shown: Shown, open: string | null): Letter {
  return letter(subjectOf(shown, true), [
    { type: "say", text: "It waits for an answer again: nobody is on it any more." },
    { type: "title", text: shown.card.title },
    ...(open === null ? [] : [{ type: "link", words: "All of it on one page", url: open } as const]),
  ]);
}

/** Why a reply was not taken. */
export function refusedLetter(shown: Shown, { words, open }: { words: string; open: string | null }): Letter {
  return letter(subjectOf(shown, true), [
    { type: "say", text: "Your reply was not taken:" },
    { type: "say", text: safeLine(words) },
    { type: "title", text: shown.card.title },
    ...(open === null ? [] : [{ type: "link", words: "Answer on this page", url: open } as const]),
  ]);
}

/** A reply counts, and settles nothing by itself: it takes others too. */
export function recordedLetter(shown: Shown): Letter {
  const words = saidWords(shown.decision);
  return letter(subjectOf(shown, true), [
    { type: "say", text: "What you said is recorded. It takes more than one person." },
    ...(words === null ? [] : [{ type: "say", text: words } as const]),
    { type: "title", text: shown.card.title },
  ]);
}

/** Several decisions in one mail, the urgent ones first; each is answered on its own page. */
export function digestLetter(all: readonly (Shown & { url: string })[]): Letter {
  const parts: Part[] = [
    { type: "say", text: `${count(all.length, "decision")} wait for an answer.` },
    ...all.flatMap(({ decision, card, url }): Part[] => [
      { type: "title", text: card.title },
      { type: "link", words: `${who(decision)}, ${decision.urgency} urgency`, url },
    ]),
  ];
  return letter(digestSubject(all.length), parts);
}

/** What became of everything in a digest, in its thread. */
export function settledDigestLetter(all: readonly { title: string; words: string }[]): Letter {
  return letter(`Re: ${digestSubject(all.length)}`, [
    { type: "say", text: "Nothing is left to do here: all of them are settled." },
    ...all.flatMap(({ title, words }): Part[] => [
      { type: "title", text: title },
      { type: "say", text: safeLine(words) },
    ]),
  ]);
}

function digestSubject(number: number): string {
  return `${count(number, "decision")} wait for an answer`;
}

function subjectOf({ decision, card }: Shown, isReply: boolean): string {
  const urgent = loudnessOf(decision) === "high" ? "Urgent: " : "";
  return `${isReply ? "Re: " : ""}${urgent}${card.title} [${decision.project}]`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
