/**
 * A decision as a message of a Telegram bot. It is sent as plain text with entities by position, never in a markup, so
 * nothing in it is obeyed; what the agent wants to do is preformatted, so nothing in it becomes a link either.
 */
import type { DecisionView } from "../../api/api.ts";
import { isOpen } from "../../core/model/face.ts";
import type { NoticeReason } from "../../core/model/reach-types.ts";
import { wordsNeededBy } from "../../inbox/card/needs.ts";
import { isRememberable } from "../../inbox/card/rule.ts";
import { claimWords, loudnessOf } from "../../inbox/card/waits.ts";
import type { Listed, Told } from "../text/ask.ts";
import { heading, isTitleWhole, labelOf, origin, takesOne } from "../text/ask.ts";
import { digestHeading, digestLines } from "../text/digest.ts";
import { fitted, units } from "../text/fitted.ts";
import { cut, matterText } from "../text/matter.ts";
import { newsOf } from "../text/news.ts";

/** What `sendMessage` and `editMessageText` take. */
export interface TelegramMessage {
  text: string;
  entities: { type: "bold" | "pre"; offset: number; length: number }[];
  link_preview_options: { is_disabled: true };
  reply_markup: { inline_keyboard: Button[][] };
  disable_notification: boolean;
}

type Button = { text: string; callback_data: string } | { text: string; url: string };

export interface Asked extends Told {
  reason: NoticeReason;
  others: readonly Listed[];
  /** Where the whole decision is, for this person. */
  open: string;
}

/** Telegram's own limit, in UTF-16 units. */
const LONGEST = 4096;
/** Kept free for addresses and the line that says what is hidden. */
const RESERVE = 500;
const LONGEST_CLAIM = 100;
const LONGEST_NEWS = 1000;
const LONGEST_BUTTON = 60;
const MOST_DIGEST_LINES = 20;
/** More buttons than anybody would read; Telegram takes a hundred. */
const MOST_BUTTONS = 24;

/** What is asked; once it is settled, in its place: who answered, what, and whether it has arrived. */
export function telegramMessage(asked: Asked, now: number): TelegramMessage {
  const { decision, card, others, open } = asked;
  if (others.length > 0) return digest([asked, ...others], open, now);
  if (isOpen(decision)) return question(asked, now);
  return message({
    parts: [
      { text: heading(card, "asked"), type: "bold" },
      { text: origin(decision) },
      { text: cut(newsOf(decision, now), LONGEST_NEWS) },
      { text: decision.id },
    ],
    rows: [],
    isSilent: true,
  });
}

function question(asked: Asked, now: number): TelegramMessage {
  const { decision, card, reason, open } = asked;
  const { matter, isWhole } = shownMatter(asked);
  const rows = answerRows(decision, isWhole);
  const isButton = canBeButton(open);
  const needsOpen = !isWhole || !takesOne(decision) || rows.length === 0;
  return message({
    parts: [
      { text: heading(card, reason), type: "bold" },
      { text: origin(decision) },
      { text: matter, type: "pre" },
      { text: hint(decision) },
      { text: cut(claimWords(decision, now) ?? "", LONGEST_CLAIM) },
      { text: isButton ? "" : `Open: ${open}` },
      { text: decision.id },
    ],
    rows: [
      ...rows,
      ...(isWhole && isRememberable(decision) ? rememberRow(decision) : []),
      ...claimRow(decision),
      ...(needsOpen && isButton ? [[{ text: "Open", url: open }]] : []),
    ],
    isSilent: loudnessOf(decision) === "low",
  });
}

/** Whether all that must be read before an approval is in the message. */
export function sawAll(told: Told): boolean {
  return shownMatter(told).isWhole;
}

function shownMatter(told: Told): { matter: string; isWhole: boolean } {
  const { decision, card } = told;
  const rest = [heading(card, "reminder"), origin(decision), hint(decision), decision.id].join("\n\n").length;
  const { text, isWhole } = fitted(matterText(card), LONGEST - rest - RESERVE, units, decision.action);
  return { matter: text, isWhole: isWhole && told.isWhole && isTitleWhole(card) };
}

function hint(decision: DecisionView): string {
  if (!takesOne(decision))
    return "Reply to this message, one line for each question: the numbers of your choice.";
  const isWords = decision.options.some((it) => wordsNeededBy(it, decision) !== null);
  return isWords ? "Press a button, or reply to this message in your own words." : "";
}

/** What lets somebody act is left out where the message does not show all of it. */
function answerRows(decision: DecisionView, isWhole: boolean): Button[][] {
  if (!takesOne(decision)) return [];
  return decision.options
    .filter((it) => isWhole || !it.acts)
    .slice(0, MOST_BUTTONS)
    .map((it) => [
      {
        text: cut(`${labelOf(it)}${it.recommended ? " (recommended)" : ""}`, LONGEST_BUTTON),
        callback_data: `${decision.id}:${it.number}`,
      },
    ]);
}

function rememberRow({ id }: DecisionView): Button[][] {
  return [[{ text: "Remember…", callback_data: `${id}:remember` }]];
}

function claimRow({ id, claimed }: DecisionView): Button[][] {
  return claimed ? [] : [[{ text: "I'm on it", callback_data: `${id}:claim` }]];
}

/** Telegram refuses addresses without a dot in their name. */
export function canBeButton(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.includes(".");
}

function digest(all: readonly Listed[], open: string, now: number): TelegramMessage {
  const lines = digestLines(all, { most: MOST_DIGEST_LINES, longest: 120, now });
  const isOver = !all.some((it) => isOpen(it.decision));
  const isButton = canBeButton(open);
  return message({
    parts: [
      { text: digestHeading(all), type: "bold" },
      { text: lines.join("\n"), type: "pre" },
      ...(isButton || isOver ? [] : [{ text: `Open: ${open}` }]),
    ],
    rows: isButton && !isOver ? [[{ text: "Open", url: open }]] : [],
    isSilent: false,
  });
}

interface Parts {
  parts: readonly { text: string; type?: "bold" | "pre" }[];
  rows: Button[][];
  isSilent: boolean;
}

export function message({ parts, rows, isSilent }: Parts): TelegramMessage {
  let text = "";
  const entities: TelegramMessage["entities"] = [];
  for (const part of parts.filter((it) => it.text.trim() !== "")) {
    if (text !== "") text += part.type === "pre" || entities.at(-1)?.type === "pre" ? "\n\n" : "\n";
    if (part.type) entities.push({ type: part.type, offset: text.length, length: part.text.length });
    text += part.text;
  }
  return {
    text,
    entities,
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: rows },
    disable_notification: isSilent,
  };
}
