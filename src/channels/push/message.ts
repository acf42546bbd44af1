/**
 * A decision as a notification of a browser. Systems cut long ones without saying so, so only a short matter counts as
 * shown whole, and it stands first.
 */
import type { DecisionView, OptionView, PushAction, PushMessage } from "../../api/api.ts";
import { isOpen } from "../../core/model/face.ts";
import type { NoticeReason } from "../../core/model/reach-types.ts";
import type { Card } from "../../inbox/card/card.ts";
import { wordsNeededBy } from "../../inbox/card/needs.ts";
import { asideNote, loudnessOf } from "../../inbox/card/waits.ts";
import { isOurs, who } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { takesOne } from "../text/ask.ts";
import { digestHeading, digestLines } from "../text/digest.ts";
import { cut, matterText, shown } from "../text/matter.ts";
import { newsOf } from "../text/news.ts";

interface Told {
  decision: DecisionView;
  card: Card;
}

/** `isWhole`: nothing was taken out of it before it left the machine. */
type Shown = Told & { isWhole: boolean };

export interface Asked extends Told {
  now: number;
  reason: NoticeReason;
  /** Of a digest. */
  others: readonly Told[];
}

/** What systems show of a notification without unfolding it: macOS and Windows about four lines, Android one more. */
const WHOLE_CHARACTERS = 140;
const WHOLE_LINES = 3;
/** What is sent of a longer one. */
const BEGINNING = 300;
const LONGEST_TITLE = 120;
const LONGEST_FROM = 100;
const LONGEST_LABEL = 30;
/** Every system that has buttons on notifications shows at least two. */
export const MOST_ACTIONS = 2;
const MOST_LINES = 5;

/** `actions`: those of `plainest` that have an address. */
export function askingMessage(asked: Asked, actions: PushAction[]): PushMessage {
  const { decision, card, reason, others, now } = asked;
  if (others.length > 0) return digestMessage([{ decision, card }, ...others], now);
  const { text } = bodyOf({ decision, card });
  const from = cut(`${decision.source} · ${safeLine(decision.project)} · ${who(decision)}`, LONGEST_FROM);
  return {
    decision: decision.id,
    tag: decision.id,
    title: cut(titleOf(card), LONGEST_TITLE),
    body: [text, from, cut(asideNote(decision), LONGEST_FROM)].filter((it) => it !== "").join("\n"),
    is_urgent: loudnessOf(decision) === "high",
    is_silent: loudnessOf(decision) === "low",
    is_reminder: reason === "reminder" || reason === "level" || reason === "promoted",
    actions,
  };
}

/** Whether it asks again what it asked before: whoever was on it let go, or took the answer back. */
export function asksAgain({ decision }: Told): boolean {
  return isOpen(decision) && decision.claimed === null;
}

/** Replaces what was shown: somebody is on it, it is settled, or it is open again. Makes no sound. */
export function changedMessage(
  told: Told & Partial<Pick<Asked, "others">>,
  now: number,
  actions: PushAction[] = [],
): PushMessage {
  const { others = [] } = told;
  if (others.length > 0)
    return { ...digestMessage([told, ...others], now), is_silent: true, is_reminder: false };
  if (asksAgain(told))
    return { ...askingMessage({ ...told, reason: "asked", others: [], now }, actions), is_silent: true };
  const { decision, card } = told;
  return {
    decision: decision.id,
    tag: decision.id,
    title: cut(titleOf(card), LONGEST_TITLE),
    body: cut(newsOf(decision, now), BEGINNING),
    is_urgent: false,
    is_silent: true,
    is_reminder: false,
    actions: [],
  };
}

/** Whether all that must be read before an approval is in the notification. */
export function sawAll(told: Shown): boolean {
  return told.isWhole && bodyOf(told).isWhole && [...titleOf(told.card)].length <= LONGEST_TITLE;
}

/**
 * The options for the two buttons. None where one tap could not be the whole answer, none that acts on what was not
 * shown whole, and none where two would have to be picked out of several: that would be steering.
 */
export function plainest(told: Shown): OptionView[] {
  const { decision } = told;
  if (!isOpen(decision) || !takesOne(decision)) return [];
  const plain = decision.options.filter((it) => isPlain(it, decision));
  if (plain.length > MOST_ACTIONS || plain.some((it) => [...it.label].length > LONGEST_LABEL)) return [];
  const isWhole = sawAll(told);
  return plain.filter((it) => isWhole || !it.acts);
}

/** What needs words, ends a run or does nothing is not for a tap in passing. */
function isPlain(option: OptionView, decision: DecisionView): boolean {
  const { key } = option;
  const ends = key === "cancel" && isOurs(decision);
  return key !== "dismiss" && !ends && wordsNeededBy(option, decision) === null;
}

function titleOf({ title }: Card): string {
  return safeLine(title);
}

function bodyOf({ decision, card }: Told): { text: string; isWhole: boolean } {
  const text = matterText(card, "\n");
  const isShort = [...text].length <= WHOLE_CHARACTERS && text.split("\n").length <= WHOLE_LINES;
  return isShort ? { text, isWhole: true } : { ...shown(text, BEGINNING, decision.action), isWhole: false };
}

function digestMessage(all: readonly Told[], now: number): PushMessage {
  return {
    decision: null,
    tag: "digest",
    title: digestHeading(all),
    body: digestLines(all, { most: MOST_LINES, longest: LONGEST_TITLE, now }).join("\n"),
    is_urgent: all.some(({ decision }) => isOpen(decision) && loudnessOf(decision) === "high"),
    is_silent: false,
    is_reminder: true,
    actions: [],
  };
}
