/** Whether the dialog on the screen is the one that an answer is for: no answer may go to the next one, however alike. */
import type { Prompt } from "../core/agent-types.ts";
import type { Question } from "../core/decision-types.ts";
import type { ShownDialog } from "./claude-screen.ts";

/** `words` are what we write into it: once they stand there, they may have pushed everything else off the screen. */
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

/** A dialog that only its screen is known of: it says the same, and all options are there. Many offer Yes and No. */
export function isOffered({ choices, input }: Prompt, dialog: ShownDialog): boolean {
  if (squashed(textOf(dialog)) !== squashed(fieldOf(input, "screen"))) return false;
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

/** Of a long plan only the beginning is shown, and its marks of emphasis are not. */
function showsPlan({ input }: Prompt, dialog: ShownDialog): boolean {
  return overlaps(letters(subjectOf(dialog)), letters(fieldOf(input, "plan")));
}

function showsCall({ tool, input }: Prompt, dialog: ShownDialog): boolean {
  const title = Object.entries(TITLES).find(([, one]) => one.test(dialog.body[0]?.trim() ?? ""))?.[0];
  if (title !== undefined && title !== tool) return false;
  const subject = bare(subjectOf(dialog));
  if (tool === "Bash") return overlaps(subject, bare(fieldOf(input, "command")));
  if (tool !== "Write" && tool !== "Edit") return showsInput(input, dialog);
  const file = fieldOf(input, "file_path").split("/").at(-1) ?? "";
  const lines = fieldOf(input, tool === "Write" ? "content" : "new_string")
    .trim()
    .split("\n");
  const has = (line = "") => overlaps(subject, bare(line));
  return dialog.body.join("").includes(file) && (has(lines.at(0)) || has(lines.at(-1)));
}

const TITLES: Record<string, RegExp> = {
  Bash: /^Bash command\b/,
  Write: /^(Create|Overwrite|Write) file\b/,
  Edit: /^Edit file\b/,
};

/** How other tools are shown is not known, but all that were seen name what they are about; of a path, at least its end. */
function showsInput(input: unknown, { body }: ShownDialog): boolean {
  const main = MAIN_FIELDS.map((it) => fieldOf(input, it)).find((it) => it !== "") ?? longestText(input);
  const shown = bare(body.join("\n"));
  const end = main.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return overlaps(shown, bare(main)) || (end.length >= 3 && shown.includes(bare(end)));
}

const MAIN_FIELDS = ["file_path", "notebook_path", "url", "query", "pattern", "path", "command"];

function longestText(input: unknown): string {
  const texts = typeof input === "object" && input !== null ? Object.values(input) : [];
  return texts.reduce<string>(
    (best, it) => (typeof it === "string" && it.length > best.length ? it : best),
    "",
  );
}

/** What it is about stands between two dashed lines; the upper one may be above the screen. */
function subjectOf({ body }: ShownDialog): string {
  const dashes = body.flatMap((line, n) => (/^\s*╌{8,}/.test(line) ? [n] : []));
  const [first, second] = dashes;
  if (first === undefined) return body.join("\n");
  const isTop = second !== undefined || /plan:\s*$/.test(body[first - 1] ?? "");
  const part = isTop ? body.slice(first + 1, second) : body.slice(0, first);
  const end = part.findIndex((line) => /^\s*─{8,}/.test(line));
  return (end < 0 ? part : part.slice(0, end)).join("\n");
}

const ENOUGH = 10;
const ENDS = 60;

/** One is in the other, or what a small screen leaves of something long: its beginning or its end. */
function overlaps(shown: string, wanted: string): boolean {
  if (shown === "" || wanted === "") return wanted === "";
  return (
    wanted.includes(shown) ||
    shown.includes(wanted) ||
    shown.includes(wanted.slice(0, ENDS)) ||
    shown.includes(wanted.slice(-ENDS))
  );
}

/** The question on the screen, as one of the prompt's; -1 when it is none of them. */
export function shownQuestion(prompt: Prompt, dialog: ShownDialog): number {
  const shown = letters(dialog.body.filter((line) => !TABS.test(line)).join("\n"));
  const fits = (question: Question, isIt: (asked: string) => boolean) =>
    hasOptions(dialog, question) && isIt(letters(question.question));
  const exact = prompt.questions.findIndex((it) => fits(it, (asked) => asked === shown));
  if (exact >= 0 || shown.length < ENOUGH) return exact;
  return prompt.questions.findIndex((it) => fits(it, (asked) => asked.endsWith(shown))); // its beginning is above the screen
}

const TABS = /^(←| ?[☐☒] )/;

/** Its options in their order, then the row for own words and the chat. */
function hasOptions({ options }: ShownDialog, question: Question): boolean {
  const fits = (label: string, n: number) => letters(options[n]?.text ?? "").startsWith(letters(label));
  return (
    options.length === question.options.length + 2 && question.options.every(({ label }, n) => fits(label, n))
  );
}

/** Letters and digits alone: wrapping, boxes and marks make no difference. */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Words of nothing but signs are compared as they are. */
export function squashed(text: string): string {
  return letters(text) || bare(text);
}

/** All but blanks and the line beside wrapped text. */
function bare(text: string): string {
  return text.replace(/[\s│]/g, "");
}

function fieldOf(input: unknown, name: string): string {
  const value =
    typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}
