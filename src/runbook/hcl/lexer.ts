/** HCL text → tokens. Strings are in strings.ts; what tokens mean together is in hcl.ts. */

import type { Report, Source, Span } from "./source.ts";
import { scanHeredoc, scanQuoted } from "./strings.ts";
import type { Mark } from "./syntax.ts";

export type Token =
  | ({ type: "word" | "number" | "symbol" | "newline" | "end"; text: string } & Span)
  | ({ type: "string"; text: string; value: string; marks: Mark[]; heredoc: boolean } & Span)
  /** Something unreadable that was reported. */
  | ({ type: "bad"; text: string } & Span);

const SPACE = /(?:[ \t]|\r(?=\n))+/y;
const COMMENT = /(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//y;
const WORD = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SYMBOL = /[{}[\]()=:,.?+\-*/%!<>&|;]/y;
const OTHER_QUOTES = /'[^'\n]*'|[“”][^“”"\n]*[“”]|[‘’][^‘’\n]*[‘’]|`[^`\n]*`/y;
const JUNK = /[^\s\p{ID_Start}\d_{}[\]()=:,.?+\-*/%!<>&|;"#]+/uy;

export function lex({ text }: Source, report: Report): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const skipped = match(SPACE, at) ?? match(COMMENT, at);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    const token = next(at);
    if (token !== null) tokens.push(token);
    at = token?.end ?? text.length;
  }
  tokens.push({ type: "end", text: "", start: text.length, end: text.length });
  return tokens;

  function next(start: number): Token | null {
    if (text[start] === "\n") return plain("newline", start, "\n");
    if (text[start] === '"')
      return { type: "string", heredoc: false, start, ...worded(scanQuoted(text, start, report)) };
    if (text.startsWith("<<", start)) return heredoc(start);
    if (text.startsWith("/*", start)) {
      report({ start, end: start + 2 }, "this comment is not closed", "close it with */");
      return null;
    }
    const word = match(WORD, start);
    if (word !== null) return plain("word", start, word);
    const number = match(NUMBER, start);
    if (number !== null) return numberAt(start, number);
    const symbol = match(SYMBOL, start);
    if (symbol !== null) return plain("symbol", start, symbol);
    return strange(start);
  }

  function heredoc(start: number): Token {
    const scanned = scanHeredoc(text, start, report);
    if (scanned !== null) return { type: "string", heredoc: true, start, ...worded(scanned) };
    const end = start + (match(/<<-?[^\n}\r]*/y, start) ?? "<<").length;
    report({ start, end }, "a heredoc begins with <<NAME, and its text starts on the next line");
    return { type: "bad", text: "<<", start, end };
  }

  function numberAt(start: number, number: string): Token {
    const tail = match(WORD, start + number.length);
    if (tail === null) return plain("number", start, number);
    const whole = number + tail;
    report({ start, end: start + whole.length }, `${whole} is not a number`, `as a string, write "${whole}"`);
    return plain("bad", start, whole);
  }

  function strange(start: number): Token {
    const quoted = match(OTHER_QUOTES, start);
    if (quoted !== null) {
      const end = start + quoted.length;
      report({ start, end }, "strings take double quotes", `write "${quoted.slice(1, -1)}"`);
      const value = quoted.slice(1, -1);
      return {
        type: "string",
        text: value,
        value,
        marks: [{ at: 0, source: start + 1 }],
        heredoc: false,
        start,
        end,
      };
    }
    const junk = match(JUNK, start) ?? String.fromCodePoint(text.codePointAt(start) ?? 0);
    const first = String.fromCodePoint(junk.codePointAt(0) ?? 0);
    report({ start, end: start + junk.length }, `unexpected character ${characterName(first)}`);
    return plain("bad", start, junk);
  }

  function plain<T extends "word" | "number" | "symbol" | "newline" | "bad">(
    type: T,
    start: number,
    found: string,
  ) {
    return { type, text: found, start, end: start + found.length };
  }

  function match(form: RegExp, from: number): string | null {
    form.lastIndex = from;
    return form.exec(text)?.[0] ?? null;
  }
}

function worded<T extends { value: string }>(scanned: T): T & { text: string } {
  return { ...scanned, text: scanned.value };
}

/** The character's code point, with the character itself only if it is visible. */
function characterName(char: string): string {
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /[\p{C}\p{Z}\p{M}]/u.test(char) ? code : `${char} (${code})`;
}
