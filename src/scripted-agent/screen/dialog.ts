/** The dialogs: what each shows and what a key does to it. Pure: keys → state → outcome; drawing is in `dialog-view.ts`. */

import type { Question } from "../scenario/scenario.ts";
import type { Key } from "./keys.ts";

export type Dialog = ApprovalDialog | QuestionDialog | PlanDialog | TrustDialog;

export interface ApprovalDialog {
  type: "approval";
  title: string;
  subtitle: string;
  /** What is to be done, line by line. */
  body: string[];
  ask: string;
  options: { label: string; grants: Grant }[];
  cursor: number;
  /** A remark is being written beside the option under the cursor. */
  amending: boolean;
  text: string;
}

/** What saying yes to an option means; `no` is the other one. */
export type Grant = "once" | "always" | "auto" | "edits" | "no";

export interface QuestionDialog {
  type: "question";
  questions: Question[];
  pages: Page[];
  /** The question shown; the number of questions itself means the review. */
  tab: number;
  /** On the review: 0 submits, 1 cancels. */
  cursor: number;
}

export interface Page {
  cursor: number;
  picked: number[];
  text: string;
  /** The free text counts. */
  own: boolean;
}

export interface PlanDialog {
  type: "plan";
  plan: string;
  file: string;
  options: { label: string; accepts: PlanMode | null }[];
  cursor: number;
  text: string;
}

export type PlanMode = "clear" | "auto" | "manual";

export interface TrustDialog {
  type: "trust";
  folder: string;
  cursor: number;
}

export type Outcome =
  | { type: "yes"; grant: Exclude<Grant, "no">; remark: string | null }
  | { type: "no"; message: string | null }
  | { type: "answers"; answers: Record<string, string>; free: boolean }
  | { type: "chat" }
  | { type: "accept"; mode: PlanMode; remark: string | null }
  | { type: "revise"; message: string }
  | { type: "trust" }
  | { type: "escape" };

export type Pressed = { dialog: Dialog } | { outcome: Outcome };

export function press(dialog: Dialog, key: Key): Pressed {
  if (key.type === "escape" || key.type === "ctrl-c") return { outcome: { type: "escape" } };
  switch (dialog.type) {
    case "approval":
      return pressApproval(dialog, key);
    case "question":
      return pressQuestion(dialog, key);
    case "plan":
      return pressPlan(dialog, key);
    case "trust":
      return pressTrust(dialog, key);
  }
}

function pressApproval(dialog: ApprovalDialog, key: Key): Pressed {
  const option = dialog.options[dialog.cursor];
  if (dialog.amending) {
    if (key.type === "enter") return { outcome: granted(option?.grants ?? "no", dialog.text.trim()) };
    if (key.type === "back-tab" || key.type === "tab") return { dialog: { ...dialog, amending: false } };
    if (key.type === "up" || key.type === "down")
      return { dialog: { ...moved(dialog, key, dialog.options.length), amending: false } };
    return { dialog: { ...dialog, text: edited(dialog.text, key) } };
  }
  const digit = digitOf(key, dialog.options.length);
  if (digit !== null) return { outcome: granted(dialog.options[digit]?.grants ?? "no", "") };
  if (key.type === "enter") return { outcome: granted(option?.grants ?? "no", "") };
  const takesRemark = option?.grants === "once" || option?.grants === "no";
  if (key.type === "tab" && takesRemark) return { dialog: { ...dialog, amending: true } };
  return { dialog: moved(dialog, key, dialog.options.length) };
}

function granted(grant: Grant, text: string): Outcome {
  const words = text === "" ? null : text;
  return grant === "no" ? { type: "no", message: words } : { type: "yes", grant, remark: words };
}

/** The rows of a page: its options, the free text if it takes any, with several choices the row that moves on, and the chat. */
export function rowsOf(question: Question): {
  text: number | null;
  next: number | null;
  chat: number;
  count: number;
} {
  const own = question.options.length;
  const text = question.closed ? null : own;
  const after = text === null ? own : own + 1;
  const next = question.multiSelect ? after : null;
  const chat = next === null ? after : after + 1;
  return { text, next, chat, count: chat + 1 };
}

/** One question with one choice is sent at once; everything else is reviewed first. */
export function isReviewed({ questions }: QuestionDialog): boolean {
  return questions.length > 1 || questions[0]?.multiSelect === true;
}

function pressQuestion(dialog: QuestionDialog, key: Key): Pressed {
  const question = dialog.questions[dialog.tab];
  const page = dialog.pages[dialog.tab];
  if (!question || !page) return pressReview(dialog, key);
  const rows = rowsOf(question);
  const onText = page.cursor === rows.text;
  const change = (next: Partial<Page>): QuestionDialog => ({
    ...dialog,
    pages: dialog.pages.with(dialog.tab, { ...page, ...next }),
  });
  const onward = (next: Partial<Page>): Pressed => goOn(change(next));

  if (
    onText &&
    (key.type === "char" || key.type === "paste" || key.type === "backspace" || key.type === "ctrl-u")
  ) {
    const text = edited(page.text, key);
    return { dialog: change(question.multiSelect ? { text, own: text !== "" } : { text }) };
  }
  if (onText && key.type === "tab") return { dialog: change({ cursor: page.cursor + 1 }) };
  if (key.type === "up" || key.type === "down") return { dialog: change(moved(page, key, rows.count)) };
  if (onText && (key.type === "left" || key.type === "right")) return { dialog }; // they move within the text
  if (key.type === "right" || key.type === "tab")
    return { dialog: isReviewed(dialog) ? turned(dialog, 1) : dialog };
  if (key.type === "left" || key.type === "back-tab") return { dialog: turned(dialog, -1) };

  const digit = digitOf(key, rows.next === null ? rows.count : rows.count - 1);
  const row =
    digit === null
      ? key.type === "enter"
        ? page.cursor
        : null
      : digit > lastNumbered(rows)
        ? rows.chat
        : digit;
  if (row === null) return { dialog };
  if (row === rows.chat) return { outcome: { type: "chat" } };
  if (row === rows.next) return onward({});
  if (question.multiSelect)
    return { dialog: change(row === rows.text ? { own: !page.own } : { picked: toggled(page.picked, row) }) };
  if (row !== rows.text) return onward({ cursor: row, picked: [row], own: false });
  if (digit === null && page.text.trim() !== "") return onward({ own: true, picked: [] });
  return { dialog: change({ cursor: row }) };
}

/** The last row before the chat that has a number. */
function lastNumbered({ next, chat }: ReturnType<typeof rowsOf>): number {
  return next === null ? chat - 1 : next - 1;
}

function pressReview(dialog: QuestionDialog, key: Key): Pressed {
  if (key.type === "left" || key.type === "back-tab") return { dialog: turned(dialog, -1) };
  const row = key.type === "enter" ? dialog.cursor : digitOf(key, 2);
  if (row === 0) return { outcome: answersOf(dialog) };
  if (row === 1) return { outcome: { type: "escape" } };
  return { dialog: moved(dialog, key, 2) };
}

function goOn(dialog: QuestionDialog): Pressed {
  return isReviewed(dialog) ? { dialog: turned(dialog, 1) } : { outcome: answersOf(dialog) };
}

function turned(dialog: QuestionDialog, by: number): QuestionDialog {
  return { ...dialog, tab: Math.min(Math.max(dialog.tab + by, 0), dialog.questions.length), cursor: 0 };
}

/** Each answer as one text; an unanswered question is missing. */
export function answerTexts({ questions, pages }: QuestionDialog): (string | null)[] {
  return questions.map(({ options }, n) => {
    const page = pages[n];
    const labels = (page?.picked ?? []).toSorted((a, b) => a - b).map((it) => options[it]?.label ?? "");
    const own = page?.own && page.text.trim() !== "" ? [page.text.trim()] : [];
    const all = [...labels, ...own];
    return all.length === 0 ? null : all.join(", ");
  });
}

function answersOf(dialog: QuestionDialog): Outcome {
  const texts = answerTexts(dialog);
  const given = dialog.questions.flatMap(({ question }, n) => {
    const text = texts[n];
    return text === null || text === undefined ? [] : [[question, text] as const];
  });
  return { type: "answers", answers: Object.fromEntries(given), free: dialog.pages.some((it) => it.own) };
}

function pressPlan(dialog: PlanDialog, key: Key): Pressed {
  const last = dialog.options.length - 1;
  const writing = dialog.cursor === last;
  const words = dialog.text.trim() === "" ? null : dialog.text.trim();
  if (key.type === "up" || key.type === "down") return { dialog: moved(dialog, key, dialog.options.length) };
  if (writing) {
    if (key.type === "enter")
      return words === null ? { dialog } : { outcome: { type: "revise", message: words } };
    if (key.type === "back-tab") return { outcome: { type: "accept", mode: "manual", remark: words } };
    return { dialog: { ...dialog, text: edited(dialog.text, key) } };
  }
  const row = key.type === "enter" ? dialog.cursor : digitOf(key, dialog.options.length);
  if (row === null) return { dialog };
  const mode = dialog.options[row]?.accepts ?? null;
  return mode === null
    ? { dialog: { ...dialog, cursor: row } }
    : { outcome: { type: "accept", mode, remark: null } };
}

/** The cursor starts on "No, exit", and there are no numbers. */
function pressTrust(dialog: TrustDialog, key: Key): Pressed {
  if (key.type === "enter") return { outcome: dialog.cursor === 1 ? { type: "trust" } : { type: "escape" } };
  return { dialog: moved(dialog, key, 2) };
}

/** Up and down wrap around. */
function moved<T extends { cursor: number }>(it: T, key: Key, count: number): T {
  const by = key.type === "down" ? 1 : key.type === "up" ? -1 : 0;
  return by === 0 ? it : { ...it, cursor: (it.cursor + by + count) % count };
}

function toggled(picked: number[], row: number): number[] {
  return picked.includes(row) ? picked.filter((it) => it !== row) : [...picked, row];
}

function digitOf(key: Key, count: number): number | null {
  if (key.type !== "char" || !/^[1-9]$/.test(key.char)) return null;
  const row = Number(key.char) - 1;
  return row < count ? row : null;
}

/** Text with one more key; anything but a text key changes nothing. */
export function edited(text: string, key: Key): string {
  switch (key.type) {
    case "char":
      return text + key.char;
    case "paste":
      return text + key.text;
    case "newline":
      return `${text}\n`;
    case "backspace":
      return [...text].slice(0, -1).join("");
    case "ctrl-u": // to the beginning of the line
      return text.endsWith("\n") ? text.slice(0, -1) : text.slice(0, text.lastIndexOf("\n") + 1);
    default:
      return text;
  }
}
