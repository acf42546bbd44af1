/**
 * Whether a permission on the screen is for this very call. What it is about stands between two dashed lines, so where both are on the
 * screen it must be the call's and nothing more: `git push` is not `git push --force`. Of something long only the end may be left.
 */
import type { Prompt } from "../core/agent-types.ts";
import type { ShownDialog } from "./claude-screen.ts";

interface Subject {
  lines: string[];
  /** Its beginning is on the screen. */
  isWhole: boolean;
}

export function showsCall({ tool, input }: Prompt, { body }: ShownDialog): boolean {
  const title = body[0]?.trim() ?? "";
  const others = Object.entries(TITLES).filter(([name]) => name !== tool);
  if (others.some(([, pattern]) => pattern.test(title))) return false;
  const subject = subjectOf(body);
  if (tool === "Bash") return isText(subject, withoutBars(subject.lines), textIn(input, "command"));
  if (tool !== "Write" && tool !== "Edit") return showsInput(input, body);
  if (!namesFile(body, subject, textIn(input, "file_path"))) return false;
  const [, asked] = /want to (create|overwrite|make this edit)\b/.exec(body.slice(-3).join("\n")) ?? [];
  if (tool === "Edit") return asked === "make this edit" && showsEdit(input, subject);
  const content = textIn(input, "content") || "(No content)";
  if (asked === "overwrite") return showsChange(subject, content);
  return asked === "create" && isText(subject, numbered(subject), content);
}

const TITLES: Record<string, RegExp> = {
  Bash: /^Bash command\b/,
  Write: /^(Create|Overwrite|Write) file\b/,
  Edit: /^Edit file\b/,
  Read: /^Read file\b/,
  WebFetch: /^Fetch\b/,
};

const DASHES = /^\s*╌{8,}/;

/** The last dashed line is its end; the upper one may be above the screen. All in between is indented, unlike what was said before. */
function subjectOf(body: string[]): Subject {
  const end = body.findLastIndex((line) => DASHES.test(line));
  const top = body.findIndex((line) => DASHES.test(line));
  if (top < end) return { lines: body.slice(top + 1, end), isWhole: true };
  const left = body.slice(0, end < 0 ? body.length : end);
  return { lines: left.slice(left.findLastIndex((line) => /^[^\s.]/.test(line)) + 1), isWhole: false };
}

/** What is left of something long must at least be this much of it. */
const ENOUGH = 10;

/** Blanks count, though not how many; at the end of a line there may be none, as it may have been wrapped within a word. */
function isText({ isWhole }: Subject, lines: string[], wanted: string): boolean {
  const shown = lines.map((line) => visible(line).trim()).filter((line) => line !== "");
  if (!isWhole && shown.join("").length < ENOUGH) return false;
  const pattern = shown.map((line) => line.split(/\s+/).map(quoted).join("\\s+")).join("\\s*");
  return new RegExp(`${isWhole ? "^\\s*" : ""}${pattern}\\s*$`).test(visible(wanted));
}

/** Text of several lines has a line beside it. */
function withoutBars(lines: string[]): string[] {
  const hasBars = lines.length > 0 && lines.every((line) => /^\s*│/.test(line));
  return hasBars ? lines.map((line) => line.replace(/^\s*│/, "")) : lines;
}

interface Row {
  /** `+`, `-` or a blank, where it shows a change. */
  sign: string;
  text: string;
}

/** Numbers stand to the right in a column; what a line was wrapped to has none. */
function rowsOf({ lines }: Subject, hasSigns: boolean): Row[] {
  const width = Math.min(...lines.flatMap((line) => /^\s*\d+(?= |$)/.exec(line)?.[0].length ?? []));
  const rows: Row[] = [];
  for (const line of lines) {
    const [head, rest] = [line.slice(0, width), line.slice(width + 1)];
    const row = hasSigns ? { sign: rest[0] ?? " ", text: rest.slice(1) } : { sign: " ", text: rest };
    const last = rows.at(-1);
    if (head.trim() === "" && last?.sign === row.sign) last.text += `\n${row.text}`;
    else rows.push(row);
  }
  return rows;
}

function numbered(subject: Subject): string[] {
  return rowsOf(subject, false).flatMap((it) => it.text.split("\n"));
}

/** Both sides of a change, and the lines that each has alone. Some of those that both have may be left out. */
function sidesOf(subject: Subject) {
  const rows = rowsOf(subject, true);
  const side = (sign: string, other: string): Side => ({
    whole: bare(rows.flatMap((it) => (it.sign === other ? [] : [it.text])).join("\n")),
    own: rows.flatMap((it) => (it.sign === sign ? [bare(it.text)] : [])),
  });
  return { before: side("-", "+"), after: side("+", "-") };
}

interface Side {
  whole: string;
  own: string[];
}

/** Every new line is of the file as it is to be. */
function showsChange(subject: Subject, content: string): boolean {
  const { after } = sidesOf(subject);
  const file = bare(content);
  return after.whole !== "" && after.own.every((line) => file.includes(line));
}

function showsEdit(input: unknown, subject: Subject): boolean {
  const { before, after } = sidesOf(subject);
  return (
    before.own.length + after.own.length > 0 &&
    isSide(before, subject, textIn(input, "old_string")) &&
    isSide(after, subject, textIn(input, "new_string"))
  );
}

/** What an edit takes away or puts in, which may be a part of its lines: no line is there without it, and its ends are. */
function isSide({ whole, own }: Side, { isWhole }: Subject, text: string): boolean {
  const lines = text
    .split("\n")
    .map(bare)
    .filter((line) => line !== "");
  const [first = "", last = ""] = [lines.at(0), lines.at(-1)];
  const all = lines.join("");
  const isOurs = (line: string) =>
    all.includes(line) || [first, last].some((it) => it !== "" && line.includes(it));
  return own.every(isOurs) && (!isWhole || (whole.includes(first) && whole.includes(last)));
}

/** Below the title, from the folder that the client is in; the question has its last part. */
function namesFile(body: string[], { isWhole }: Subject, file: string): boolean {
  const top = body.findIndex((line) => DASHES.test(line));
  const shown = bare(body.slice(1, top).join(""));
  if (isWhole && top > 1) return isEndOf(shown, file);
  return bounded(body.slice(-3).join("\n"), file.split("/").at(-1) ?? "");
}

function isEndOf(shown: string, file: string): boolean {
  const part = shown.replace(/^(~|(\.\.?\/)+|…)/, "").replace(/^\/+/, "");
  return part !== "" && `/${bare(file)}`.endsWith(`/${part}`);
}

/** How other tools are shown is not known, but all that were seen name what they are about; of a path, at least its end. */
function showsInput(input: unknown, body: string[]): boolean {
  const main = MAIN_FIELDS.map((it) => textIn(input, it)).find((it) => it !== "") ?? cut(longestText(input));
  const shown = body.join("\n");
  if (main === "" || bounded(shown, main)) return true;
  const end = main.replace(/\/+$/, "").split("/").at(-1) ?? "";
  if (end === main || end.length < 3 || end.length > shown.length) return false;
  const [path] = new RegExp(`[^\\s("'\`]*${quoted(end)}(?![\\w./-])`).exec(shown) ?? [];
  return path !== undefined && isEndOf(path, main.replace(/\/+$/, ""));
}

const MAIN_FIELDS = ["file_path", "notebook_path", "url", "query", "pattern", "path", "command"];

function longestText(input: unknown): string {
  const texts = typeof input === "object" && input !== null ? Object.values(input) : [];
  return texts.reduce<string>(
    (best, it) => (typeof it === "string" && it.length > best.length ? it : best),
    "",
  );
}

/** It stands there, wrapped or not, and is not a part of something longer. */
function bounded(shown: string, text: string): boolean {
  const wanted = bare(text);
  if (wanted === "" || wanted.length > shown.length) return false;
  const letters = [...wanted].map(quoted).join("[\\s│]*");
  return new RegExp(`(?<![\\w./-])${letters}(?![\\w/&=-]|[.?]\\w)`).test(shown);
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Without what no terminal draws. */
function visible(text: string): string {
  return text.replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, "");
}

/** All but blanks and the line beside wrapped text. */
export function bare(text: string): string {
  return visible(text).replace(/[\s│]/g, "");
}

/** No screen has room for more than the ends of something huge, and the daemon has others to look after. */
function cut(text: string): string {
  return text.length <= 2 * MOST ? text : `${text.slice(0, MOST)}\n${text.slice(-MOST)}`;
}

const MOST = 50_000;

export function textIn(input: unknown, name: string): string {
  return cut(fieldOf(input, name));
}

export function fieldOf(input: unknown, name: string): string {
  const value =
    typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}
