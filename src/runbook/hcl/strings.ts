/** Strings in HCL: quoted ones and heredocs. Decodes escapes and indentation; `${…}` and `%{…}` stay as they are. */

import type { Report } from "./source.ts";
import type { Mark } from "./syntax.ts";

export interface Scanned {
  value: string;
  marks: Mark[];
  end: number;
}

/** The string that begins with the quote at `start`. If it isn't closed, it ends with its line. */
export function scanQuoted(text: string, start: number, report: Report): Scanned {
  const value = pieces();
  let at = start + 1;
  for (;;) {
    const char = text[at];
    if (char === '"') return { ...value.done(at), end: at + 1 };
    if (char === undefined || isLineEnd(text, at)) {
      report(
        { start, end: at },
        "this string is not closed",
        'close it with ", or use a heredoc for several lines',
      );
      return { ...value.done(at), end: at };
    }
    if (char === "\\") {
      const { char: decoded, end } = scanEscape(text, at, report);
      value.add(decoded, at, end);
      at = end;
    } else if (opensTemplate(text, at)) {
      const end = templateEnd(text, at);
      if (end === null) {
        const literal = `for a literal ${char}{ write ${char}${char}{`;
        report({ start: at, end: at + 2 }, `this ${char}{ is not closed on its line`, literal);
        const rest = lineEnd(text, at);
        return { ...value.done(rest), end: rest };
      }
      at = end;
    } else {
      at += isDoubled(text, at) ? 3 : 1;
    }
  }

  /** Collects the decoded text, copying everything between two escapes in one go. */
  function pieces() {
    let decoded = "";
    let from = start + 1;
    const marks: Mark[] = [{ at: 0, source: from }];
    return {
      add(char: string, escapeStart: number, escapeEnd: number) {
        decoded += text.slice(from, escapeStart) + char;
        from = escapeEnd;
        marks.push({ at: decoded.length, source: from });
      },
      done: (end: number) => ({ value: decoded + text.slice(from, end), marks }),
    };
  }
}

const HEREDOC = /<<(-?)([\p{ID_Start}_][\p{ID_Continue}-]*)(?=\r?\n)/uy;

/** The heredoc that begins with `<<` at `start`, or null if there is none. CRLF becomes LF because shells need that. */
export function scanHeredoc(text: string, start: number, report: Report): Scanned | null {
  HEREDOC.lastIndex = start;
  const [opening = "", dash, marker = ""] = HEREDOC.exec(text) ?? [];
  if (opening === "") return null;
  const lines: { text: string; source: number }[] = [];
  let at = text.indexOf("\n", start) + 1;
  for (;;) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    if (line.trim() === marker) return { ...joined(dash ? unindented(lines) : lines), end };
    const next = text.indexOf("\n", end);
    if (next === -1) {
      const missing = `this heredoc is not closed: no line says only ${marker}`;
      report({ start, end: start + opening.length }, missing);
      return { ...joined(lines), end };
    }
    lines.push({ text: line, source: at });
    at = next + 1;
  }
}

/** Removes the indentation that all lines share; blank lines don't count and stay as they are. */
function unindented(lines: { text: string; source: number }[]) {
  const indentation = (line: string) => line.length - line.trimStart().length;
  const filled = lines.filter((it) => it.text.trim() !== "");
  const shared = filled.reduce((least, it) => Math.min(least, indentation(it.text)), Infinity);
  return lines.map((it) =>
    it.text.trim() === "" ? it : { text: it.text.slice(shared), source: it.source + shared },
  );
}

function joined(lines: { text: string; source: number }[]): { value: string; marks: Mark[] } {
  let at = 0;
  const marks = lines.map((it) => {
    const mark = { at, source: it.source };
    at += it.text.length + 1;
    return mark;
  });
  return { value: lines.map((it) => `${it.text}\n`).join(""), marks };
}

const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const UNICODE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;

function scanEscape(text: string, start: number, report: Report): { char: string; end: number } {
  const simple = ESCAPES[text[start + 1] ?? ""];
  if (simple !== undefined) return { char: simple, end: start + 2 };
  UNICODE.lastIndex = start;
  const [all, short, long] = UNICODE.exec(text) ?? [];
  if (all === undefined) {
    const wide = (text.codePointAt(start + 1) ?? 0) > 0xffff ? 3 : 2;
    const end = isLineEnd(text, start + 1) ? start + 1 : start + wide;
    const known =
      'known escapes are \\n \\t \\r \\" \\\\ \\uXXXX and \\UXXXXXXXX; a backslash itself is \\\\';
    report({ start, end }, `unknown escape ${text.slice(start, end)}`, known);
    return { char: text.slice(start, end), end };
  }
  const end = start + all.length;
  const code = Number.parseInt(short ?? long ?? "", 16);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    report({ start, end }, `${all} is not a character that text can contain`);
    return { char: "\uFFFD", end };
  }
  const char = String.fromCodePoint(code);
  const isLiteral = (char === "$" || char === "%") && text[end] === "{";
  return { char: isLiteral ? char + char : char, end };
}

/** A template nested deeper than this counts as not closed. */
const DEEPEST_TEMPLATE = 50;

/**
 * Where a template ends, after its `}` and past any strings, templates and braces inside; null if the line ends first.
 */
function templateEnd(text: string, start: number): number | null {
  const open = ["{"];
  let at = start + 2;
  while (open.length > 0) {
    const char = text[at];
    if (char === undefined || isLineEnd(text, at) || open.length > DEEPEST_TEMPLATE) return null;
    const inString = open.at(-1) === '"';
    if (char === "\\") {
      at += isLineEnd(text, at + 1) ? 1 : 2;
    } else if (char === '"') {
      if (inString) open.pop();
      else open.push('"');
      at += 1;
    } else if (isDoubled(text, at)) {
      at += 3;
    } else if (opensTemplate(text, at)) {
      open.push("{");
      at += 2;
    } else {
      if (!inString && char === "{") open.push("{");
      if (!inString && char === "}") open.pop();
      at += 1;
    }
  }
  return at;
}

function opensTemplate(text: string, at: number): boolean {
  return (text[at] === "$" || text[at] === "%") && text[at + 1] === "{";
}

/** `$${` and `%%{` mean the text `${` and `%{` itself. */
function isDoubled(text: string, at: number): boolean {
  return text[at] === text[at + 1] && opensTemplate(text, at + 1);
}

function isLineEnd(text: string, at: number): boolean {
  return text[at] === "\n" || (text[at] === "\r" && text[at + 1] === "\n");
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  if (newline === -1) return text.length;
  return newline > from && text[newline - 1] === "\r" ? newline - 1 : newline;
}
