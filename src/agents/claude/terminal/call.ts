/**
 * Whether a permission dialog on the screen is for exactly this call. Its subject is between two dashed lines. If both
 * are on the screen, the text between them must be the call's and nothing more: `git push` is not `git push --force`.
 * Only the end of a long text may be left.
 */
import type { Prompt } from "../../../core/model/agent-types.ts";
import { asDrawn, bare, cut, isDrawn, quoted, REPLACED, textIn } from "../../drawn-text.ts";
import type { Subject } from "./change.ts";
import { numbered, showsChange, showsEdit } from "./change.ts";
import type { ShownDialog } from "./dialog.ts";
import { DASHES } from "./lines.ts";

export function showsCall({ tool, input: given }: Prompt, { body }: ShownDialog): boolean {
  const input = body.some((line) => line.includes(REPLACED)) ? drawnInput(tool, given) : given;
  const title = body[0]?.trim() ?? "";
  const others = Object.entries(TITLES).filter(([name]) => name !== tool);
  if (others.some(([, pattern]) => pattern.test(title))) return false;
  const subject = subjectOf(body);
  if (tool === "Bash")
    return isDrawn(subject.isWhole ? "all" : "end", withoutBars(subject.lines), textIn(input, "command"));
  if (tool !== "Write" && tool !== "Edit") return showsInput(input, body);
  if (!namesFile(body, subject, textIn(input, "file_path"))) return false;
  const [, asked] = /want to (create|overwrite|make this edit)\b/.exec(body.slice(-3).join("\n")) ?? [];
  if (tool === "Edit")
    return (
      asked === "make this edit" &&
      showsEdit(subject, textIn(input, "old_string"), textIn(input, "new_string"))
    );
  const content = textIn(input, "content") || "(No content)";
  if (asked === "overwrite") return showsChange(subject, content);
  return asked === "create" && isDrawn(subject.isWhole ? "all" : "end", numbered(subject), content);
}

/**
 * The client draws a sign for a character that nobody can see. The sign must then be where the call has the character.
 */
function drawnInput(tool: string, input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const drawn = ([name, value]: [string, unknown]) => [
    name,
    typeof value === "string" ? drawnText(tool, cut(value)) : value,
  ];
  return Object.fromEntries(Object.entries(input).map(drawn));
}

/** In a file, the client marks characters that break a line without ending it. */
function drawnText(tool: string, text: string): string {
  const isFile = tool === "Write" || tool === "Edit";
  return asDrawn(text.replace(/[\u2028\u2029]/g, isFile ? "$&[line break] " : "$&"));
}

const TITLES: Record<string, RegExp> = {
  Bash: /^Bash command\b/,
  Write: /^(Create|Overwrite|Write) file\b/,
  Edit: /^Edit file\b/,
  Read: /^Read file\b/,
  WebFetch: /^Fetch\b/,
};

/**
 * The last dashed line ends the subject; the upper one may be above the screen. Everything in between is indented,
 * unlike what was said before.
 */
function subjectOf(body: string[]): Subject {
  const end = body.findLastIndex((line) => DASHES.test(line));
  const top = body.findIndex((line) => DASHES.test(line));
  if (top < end) return { lines: body.slice(top + 1, end), isWhole: true };
  const left = body.slice(0, end < 0 ? body.length : end);
  return { lines: left.slice(left.findLastIndex((line) => /^[^\s.]/.test(line)) + 1), isWhole: false };
}

/** Text of several lines has a bar beside it. */
function withoutBars(lines: string[]): string[] {
  const hasBars = lines.length > 0 && lines.every((line) => /^\s*│/.test(line));
  return hasBars ? lines.map((line) => line.replace(/^\s*│/, "")) : lines;
}

/** The path is below the title, relative to the client's folder. The question has its last part. */
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

/**
 * We don't know how other tools are shown, but all that we have seen name what they are about; of a path, at least its
 * end.
 */
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

/** Whether the text is there, wrapped or not, and not as part of something longer. */
function bounded(shown: string, text: string): boolean {
  const wanted = bare(text);
  if (wanted === "" || wanted.length > shown.length) return false;
  const letters = [...wanted].map(quoted).join("[\\s│]*");
  return new RegExp(`(?<![\\w./-])${letters}(?![\\w/&=-]|[.?]\\w)`).test(shown);
}
