/** A position in the tokens, and how to recover after something unreadable. */

import type { Token } from "./lexer.ts";
import type { Report, Source, Span } from "./source.ts";
import { lineOf } from "./source.ts";

export interface Cursor {
  source: Source;
  tokens: Token[];
  at: number;
  depth: number;
  report: Report;
  /** The line of the last complaint: anything else that seems wrong on it is mostly an echo. */
  complained: number;
  /**
   * The first `{` whose `}` is further left than it should be. If a `}` turns out to be missing, it belongs to this
   * one.
   */
  suspect: Span | null;
}

const DEEPEST = 50;

export function cursorOf(source: Source, tokens: Token[], report: Report): Cursor {
  return { source, tokens, at: 0, depth: 0, report, complained: 0, suspect: null };
}

const END: Token = { type: "end", text: "", start: 0, end: 0 };

export function peek(cursor: Cursor, ahead = 0): Token {
  return cursor.tokens[cursor.at + ahead] ?? cursor.tokens.at(-1) ?? END;
}

export function take(cursor: Cursor): Token {
  const token = peek(cursor);
  if (token.type !== "end") cursor.at += 1;
  return token;
}

/** Skips a token that the lexer has reported; nothing else on its line is reported. */
export function takeBad(cursor: Cursor): void {
  cursor.complained = lineOf(cursor.source, take(cursor).start);
}

export function isSymbol(token: Token, ...symbols: string[]): boolean {
  return token.type === "symbol" && symbols.includes(token.text);
}

export function complain(cursor: Cursor, at: Span, message: string, hint?: string): void {
  const line = lineOf(cursor.source, at.start);
  if (line === cursor.complained) return;
  cursor.complained = line;
  cursor.report(at, message, hint);
}

export function describe(token: Token): string {
  if (token.type === "newline") return "the end of the line";
  if (token.type === "end") return "the end of the file";
  if (token.type === "string") return "a string";
  return `"${token.text}"`;
}

export function skipNewlines(cursor: Cursor): void {
  while (peek(cursor).type === "newline") take(cursor);
}

/** Skips to the end of the line or to one of the given symbols, past anything in braces. */
export function skipTo(cursor: Cursor, ...symbols: string[]): void {
  let open = 0;
  for (let token = peek(cursor); token.type !== "end"; token = peek(cursor)) {
    if (open === 0 && (token.type === "newline" || isSymbol(token, ...symbols))) return;
    if (isSymbol(token, "{")) open += 1;
    if (isSymbol(token, "}") && open > 0) open -= 1;
    take(cursor);
  }
}

/** Skips past the bracket that closes the one here. */
function skipBrackets(cursor: Cursor): void {
  let open = 0;
  do {
    const token = take(cursor);
    if (token.type === "end") return;
    if (isSymbol(token, "{", "[", "(")) open += 1;
    if (isSymbol(token, "}", "]", ")")) open -= 1;
  } while (open > 0);
}

/** Runs `inside` one level deeper, or skips the brackets here if that would be too deep. */
export function deeper<T>(cursor: Cursor, inside: () => T, otherwise: T): T {
  if (cursor.depth >= DEEPEST) {
    complain(cursor, peek(cursor), `nested deeper than ${DEEPEST} levels`);
    skipBrackets(cursor);
    return otherwise;
  }
  cursor.depth += 1;
  const result = inside();
  cursor.depth -= 1;
  return result;
}

/** Takes the `}` that closes `open`. */
export function closeBrace(cursor: Cursor, open: Token): Token {
  const isFirstOnLine = cursor.tokens[cursor.at - 1]?.type === "newline";
  const close = take(cursor);
  if (isFirstOnLine && indentation(cursor, close) < indentation(cursor, open)) cursor.suspect ??= open;
  return close;
}

/** Complains only once per file: if one brace is missing, all those around it are open too. */
export function complainUnclosed(cursor: Cursor, open: Token): void {
  if (cursor.complained === Infinity) return;
  complain(cursor, cursor.suspect ?? open, "this { is not closed");
  cursor.complained = Infinity;
}

/** The indentation of the line that a token is on. */
function indentation({ source }: Cursor, token: Token): number {
  const from = source.lines[lineOf(source, token.start) - 1] ?? 0;
  let at = from;
  while (source.text[at] === " " || source.text[at] === "\t") at += 1;
  return at - from;
}
