/** What a short message says besides the matter, and which options a single tap can answer: for phones and chats. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import type { NoticeReason } from "../../core/model/reach-types.ts";
import type { Card } from "../../inbox/card/card.ts";
import { asideNote } from "../../inbox/card/waits.ts";
import { who } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { cut } from "./matter.ts";

/** One of several in a digest. */
export interface Listed {
  decision: DecisionView;
  card: Card;
}

export interface Told extends Listed {
  /** False: something was redacted that might act. */
  isWhole: boolean;
}

const LONGEST_TITLE = 200;
const LONGEST_FROM = 120;
const LONGEST_NOTE = 200;

/** The title, marked as a reminder if it is one. */
export function heading({ title }: Card, reason: NoticeReason): string {
  return cut(`${reason === "reminder" ? "Reminder: " : ""}${safeLine(title)}`, LONGEST_TITLE);
}

export function isTitleWhole({ title }: Card): boolean {
  return [...safeLine(title)].length <= LONGEST_TITLE - "Reminder: ".length;
}

/** Why, where and who. */
export function origin(decision: DecisionView): string {
  const from = cut(`${decision.source} · ${safeLine(decision.project)} · ${who(decision)}`, LONGEST_FROM);
  const note = asideNote(decision);
  return note === "" ? from : `${from}\n${cut(note, LONGEST_NOTE)}`;
}

/** Whether one option is a whole answer: not where several questions are asked, or several options may be chosen. */
export function takesOne({ questions }: DecisionView): boolean {
  return questions.length <= 1 && !questions.some((it) => it.multi_select);
}

/** What a button says; some services refuse one that says nothing. */
export function labelOf({ label, number }: OptionView): string {
  return safeLine(label).trim() || `Option ${number}`;
}
