/**
 * Whether the dialog on the screen is the one that an answer is for. No answer may go to the next dialog, however
 * similar.
 */
import type { Prompt } from "../../../core/model/agent-types.ts";
import type { Question } from "../../../core/model/decision-types.ts";
import { bare, ENOUGH, fieldOf, letters, squashed, textIn } from "../../drawn-text.ts";
import { showsCall } from "./call.ts";
import type { ShownDialog } from "./dialog.ts";
import { DASHES } from "./lines.ts";

/**
 * `words` are what we write into the dialog. Once they are there, they may have pushed everything else off the screen.
 */
export function isShown(prompt: Prompt, dialog: ShownDialog, words: string): boolean {
  switch (prompt.kind) {
    case "question":
      return dialog.kind === "review" || (dialog.kind === "question" && shownQuestion(prompt, dialog) >= 0);
    case "plan":
      return dialog.kind === "plan" && (isWritten(dialog, words) || showsPlan(prompt, dialog));
    case "approval":
      return dialog.kind === "approval" && (isWritten(dialog, words) || showsCall(prompt, dialog));
  }
}

/**
 * For a dialog that we know only from its screen: it says the same, and all options are there. Many dialogs offer Yes
 * and No.
 */
export function isOffered({ choices, input }: Prompt, dialog: ShownDialog): boolean {
  if (bare(textOf(dialog)) !== bare(fieldOf(input, "screen"))) return false;
  return choices.every((choice) => dialog.options.some((it) => it.label === choice.label));
}

/** What a dialog says above its options. */
export function textOf({ body }: ShownDialog): string {
  const lines = body.map((line) => line.trim());
  return lines.filter((line) => /\w/.test(line) && !GREETING.test(line)).join("\n");
}

const GREETING = /^(Welcome to Claude Code|Let's get started)/;

function isWritten({ amending, options }: ShownDialog, words: string): boolean {
  const shown = squashed((options.find((it) => it.selected)?.text ?? "").replace(/^(Yes|No), /, ""));
  return amending && shown.length >= ENOUGH && squashed(words).startsWith(shown);
}

/**
 * Of a long plan only the beginning is shown, and none of its emphasis marks, but nothing that the plan does not say.
 */
function showsPlan({ input }: Prompt, dialog: ShownDialog): boolean {
  const [shown, wanted] = [letters(planOn(dialog)), letters(textIn(input, "plan"))];
  return shown.length <= wanted.length + ADDED && overlaps(shown, wanted);
}

/** How many letters a plan may have on the screen but not in its text: list numbers, or what is drawn for a picture. */
const ADDED = 20;

/** The plan is between two dashed lines, one of which may be off the screen. */
function planOn({ body }: ShownDialog): string {
  const dashes = body.flatMap((line, n) => (DASHES.test(line) ? [n] : []));
  const [first, second] = dashes;
  if (first === undefined) return body.join("\n");
  const isTop = second !== undefined || /plan:\s*$/.test(body[first - 1] ?? "");
  const part = isTop ? body.slice(first + 1, second) : body.slice(0, first);
  const end = part.findIndex((line) => /^\s*─{8,}/.test(line));
  return (end < 0 ? part : part.slice(0, end)).join("\n");
}

const ENDS = 60;

/** One contains the other, or a small screen has left only the beginning or the end of a long text. */
function overlaps(shown: string, wanted: string): boolean {
  if (shown === "" || wanted === "") return wanted === "";
  return (
    wanted.includes(shown) ||
    shown.includes(wanted) ||
    shown.includes(wanted.slice(0, ENDS)) ||
    shown.includes(wanted.slice(-ENDS))
  );
}

/** Which of the prompt's questions is on the screen; -1 if it is none of them. */
export function shownQuestion(prompt: Prompt, dialog: ShownDialog): number {
  const shown = letters(dialog.body.filter((line) => !TABS.test(line)).join("\n"));
  const fits = (question: Question, isIt: (asked: string) => boolean) =>
    hasOptions(dialog, question) && isIt(letters(question.question));
  const exact = prompt.questions.findIndex((it) => fits(it, (asked) => asked === shown));
  if (exact >= 0 || shown.length < ENOUGH) return exact;
  return prompt.questions.findIndex((it) => fits(it, (asked) => asked.endsWith(shown))); // its top is off the screen
}

const TABS = /^(←| ?[☐☒] )/;

/** The question's options in their order, then the row for the person's own words, if it takes any, and the one for chat. */
function hasOptions({ options }: ShownDialog, question: Question): boolean {
  const fits = (label: string, n: number) => letters(options[n]?.text ?? "").startsWith(letters(label));
  const rows = question.options.length + (question.closed ? 1 : 2);
  return options.length === rows && question.options.every(({ label }, n) => fits(label, n));
}
