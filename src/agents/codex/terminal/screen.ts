/**
 * What a screen of Codex shows. A dialog takes the place of the composer at the bottom of the screen; the same words
 * further up are something that was printed.
 */
import type { Look } from "../../client.ts";

export interface ShownDialog {
  kind: "approval" | "question" | "trust" | "other";
  /** From the dialog's title to its options. */
  body: string[];
  options: ShownOption[];
  /** The line for a note, if it is open. */
  note: string | null;
}

export interface ShownOption {
  number: number;
  /** Without the key in parentheses that the client shows after it. */
  label: string;
  selected: boolean;
}

export function lookAt(screen: string): Look {
  const dialog = dialogOn(screen);
  if (dialog) {
    const { kind, options, body } = dialog;
    return { state: "dialog", kind, options, text: JSON.stringify(dialog), body };
  }
  const composer = composerOn(screen);
  if (!composer) return { state: "unknown" };
  return { state: BUSY.test(composer.above.slice(-BUSY_LINES).join("\n")) ? "working" : "idle" };
}

const BUSY = /^([•◦] )?\w.*\besc to interrupt\b/m;
const BUSY_LINES = 8;
const FOOTER =
  /^\s*(press enter to \w+|enter (confirm|continue|select)\b|tab (to add|or esc to clear) notes|enter to submit)/i;
/** What `FOOTER` looks for. */
export const DIALOG_MARKS = [
  ...["Press enter to", "press enter to", "enter confirm", "enter continue", "enter select"],
  ...["enter to submit", "tab to add notes", "esc to clear notes"],
];
const OPTION = /^\s*(›?)\s*(\d+)\. (.*)$/;
const NOTE = /^\s*› (.*)$/;
const TITLE =
  /^\s*(Would you like to |Do you want to |Question \d+\/\d+\b|Folder access\s*$|Hooks need review)/;
const MOST_LINES = 20;

export function dialogOn(screen: string): ShownDialog | null {
  const lines = linesOf(screen);
  let end = lines.length - 1;
  if (!FOOTER.test(lines[end] ?? "")) return null;
  while (end > 0 && (FOOTER.test(lines[end] ?? "") || isBlank(lines[end]))) end--;
  const last = lines.findLastIndex((line) => OPTION.test(line));
  if (last < 0) return null;
  let first = last;
  while (isOptionPart(lines[first - 1])) first--;
  while (!OPTION.test(lines[first] ?? "")) first++;
  const body = bodyAbove(lines, first);
  const after = lines.slice(last + 1, end + 1);
  const noted = after.findIndex((line, n) => NOTE.test(line) && isBlank(after[n - 1]));
  const note =
    noted < 0
      ? null
      : after
          .slice(noted)
          .join("\n")
          .replace(/^\s*› /, "")
          .trim();
  return { kind: kindOf(body), body, options: optionsIn(lines.slice(first, last + 1)), note };
}

/** A wrapped label or its description goes on below it, without a blank line. */
function isOptionPart(line: string | undefined): boolean {
  return line !== undefined && (OPTION.test(line) || /^\s{5,}\S/.test(line));
}

function optionsIn(lines: string[]): ShownOption[] {
  const options: ShownOption[] = [];
  for (const line of lines) {
    const [, cursor, number, rest = ""] = OPTION.exec(line) ?? [];
    const last = options.at(-1);
    if (number !== undefined) options.push({ number: Number(number), label: rest, selected: cursor === "›" });
    else if (last) last.label += `\n${line}`; // with its description beside it
  }
  return options.map((it) => ({ ...it, label: labelOf(it.label) }));
}

/** The description is to the right of the label, in a column of its own; the key that chooses it is at the end. */
function labelOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trim().split(/\s{2,}/)[0] ?? "");
  return lines
    .join(" ")
    .trim()
    .replace(/ \((esc|\w)\)$/, "");
}

function bodyAbove(lines: string[], first: number): string[] {
  const title = lines.findLastIndex((line, n) => n < first && TITLE.test(line));
  const body = lines.slice(title >= 0 ? title : Math.max(0, first - MOST_LINES), first);
  return body.filter((line) => !isBlank(line));
}

function kindOf([title = ""]: string[]): ShownDialog["kind"] {
  if (/^\s*Question \d/.test(title)) return "question";
  if (/^\s*Folder access/.test(title)) return "trust";
  return /^\s*Would you like to (run|make) /.test(title) ? "approval" : "other";
}

const PLACEHOLDER = "Ask Codex to do anything";

/** The composer's text, and what is above it. Null while there is none. */
export function composerOn(screen: string): { text: string; above: string[] } | null {
  const lines = linesOf(screen);
  if (dialogOn(screen) || !/^ {2}/.test(lines.at(-1) ?? "")) return null;
  const status = lines.findLastIndex(isBlank); // the lines below it say which model this is, and where
  const at = lines.findLastIndex((line, n) => n < status && /^[›!](\s|$)/.test(line));
  if (at < 0 || lines.slice(at + 1, status).some((line) => /^\S/.test(line))) return null;
  const text = lines
    .slice(at, status)
    .map((line) => line.slice(2))
    .join("\n")
    .trim();
  return { text: text === PLACEHOLDER ? "" : text, above: lines.slice(0, at) };
}

export function linesOf(screen: string): string[] {
  return screen.trimEnd().split("\n");
}

function isBlank(line: string | undefined): boolean {
  return (line ?? "").trim() === "";
}
