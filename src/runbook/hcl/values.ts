/**
 * HCL values: strings, numbers, lists, objects, and calls of `file` and `env`. All other HCL expressions are refused.
 */

import { suggest } from "../../core/text/suggest.ts";
import type { Cursor } from "./cursor.ts";
import {
  closeBrace,
  complain,
  complainUnclosed,
  deeper,
  describe,
  isSymbol,
  peek,
  skipNewlines,
  skipTo,
  take,
  takeBad,
} from "./cursor.ts";
import type { Token } from "./lexer.ts";
import type { Entry, Text, Value } from "./syntax.ts";

const ALLOWED = "a value is a string, number, true, false, null, list, object, file(…) or env(…)";
const FUNCTIONS = ["file", "env"] as const;

export function parseValue(cursor: Cursor): Value {
  const value = parseOperand(cursor);
  const token = peek(cursor);
  if (!isSymbol(token, ..."+-*/%<>&|?!.[(")) return value;
  if (value.type !== "bad")
    complain(cursor, token, `runbooks have no expressions, so ${token.text} can't be used here`, ALLOWED);
  skipTo(cursor, ",", "}", "]", ")");
  return { type: "bad", at: value.at };
}

function parseOperand(cursor: Cursor): Value {
  const token = peek(cursor);
  const bad: Value = { type: "bad", at: token };
  switch (token.type) {
    case "string":
      take(cursor);
      return textOf(token);
    case "number":
      return parseNumber(cursor, token, token.text);
    case "word":
      return parseWord(cursor, token);
    case "bad":
      takeBad(cursor);
      return bad;
    case "newline":
    case "end":
      complain(cursor, token, "a value is missing here", "it must begin on the same line");
      return bad;
    case "symbol":
      return parseSymbol(cursor, token);
  }
}

function parseSymbol(cursor: Cursor, token: Token): Value {
  const bad: Value = { type: "bad", at: token };
  if (token.text === "[") return deeper(cursor, () => parseList(cursor), bad);
  if (token.text === "{") return deeper(cursor, () => parseObject(cursor), bad);
  const minus = peek(cursor, 1);
  if (token.text === "-" && minus.type === "number" && minus.start === token.end) {
    take(cursor);
    return parseNumber(cursor, token, `-${minus.text}`);
  }
  complain(cursor, token, `expected a value, not ${describe(token)}`, ALLOWED);
  if (!isSymbol(token, ",", "}", "]", ")")) take(cursor);
  return bad;
}

function parseNumber(cursor: Cursor, first: Token, text: string): Value {
  const { end } = take(cursor);
  const at = { start: first.start, end };
  const value = Number(text);
  if (Number.isFinite(value)) return { type: "number", value, text, at };
  complain(cursor, at, "this number is too large");
  return { type: "bad", at };
}

function parseWord(cursor: Cursor, word: Token): Value {
  take(cursor);
  if (word.text === "true" || word.text === "false")
    return { type: "bool", value: word.text === "true", at: word };
  if (word.text === "null") return { type: "null", at: word };
  if (isSymbol(peek(cursor), "(")) return parseCall(cursor, word);
  const path = [word.text];
  let end = word.end;
  while (isSymbol(peek(cursor), ".") && peek(cursor, 1).type === "word") {
    take(cursor);
    path.push(peek(cursor).text);
    end = take(cursor).end;
  }
  const at = { start: word.start, end };
  if (path.length > 1) {
    complain(
      cursor,
      at,
      `${path.join(".")} is not a value by itself`,
      `write it in a string: "\${${path.join(".")}}"`,
    );
  } else if (word.text === "for") {
    complain(cursor, at, "runbooks have no for expressions", ALLOWED);
  } else {
    const words = [word.text, ...bareWords(cursor)].join(" ");
    complain(
      cursor,
      at,
      `${word.text} is not a value`,
      yesNo(word.text) ?? `strings take double quotes: "${words}"`,
    );
  }
  return { type: "bad", at };
}

/** `run = npm test`: the words that were meant to be one string. */
function bareWords(cursor: Cursor): string[] {
  const words: string[] = [];
  while (peek(cursor).type === "word" && !isSymbol(peek(cursor, 1), "=", ":")) words.push(take(cursor).text);
  return words;
}

function yesNo(word: string): string | null {
  if (/^(yes|on)$/i.test(word)) return "write true";
  if (/^(no|off)$/i.test(word)) return "write false";
  return null;
}

function parseCall(cursor: Cursor, word: Token): Value {
  const open = take(cursor);
  const given: Value[] = [];
  skipNewlines(cursor);
  while (!isSymbol(peek(cursor), ")")) {
    given.push(deeper(cursor, () => parseValue(cursor), { type: "bad", at: open }));
    skipNewlines(cursor);
    if (isSymbol(peek(cursor), ",")) take(cursor);
    else if (!isSymbol(peek(cursor), ")")) {
      complain(cursor, open, "this ( is not closed");
      skipTo(cursor, ",", "}", "]");
      return { type: "bad", at: word };
    }
    skipNewlines(cursor);
  }
  const at = { start: word.start, end: take(cursor).end };
  const name = FUNCTIONS.find((it) => it === word.text);
  if (name === undefined) {
    const near = suggest(word.text, FUNCTIONS);
    complain(
      cursor,
      word,
      `there is no function ${word.text}`,
      near ? `did you mean ${near}?` : "the functions are file and env",
    );
    return { type: "bad", at };
  }
  const [argument] = given;
  if (argument?.type === "string" && given.length === 1) return { type: "call", name, argument, at };
  const example = name === "file" ? 'file("path/to/it.md")' : 'env("NAME")';
  complain(cursor, at, `${name} takes one string`, `like ${example}`);
  return { type: "bad", at };
}

function parseList(cursor: Cursor): Value {
  const open = take(cursor);
  const items: Value[] = [];
  for (;;) {
    skipNewlines(cursor);
    if (isSymbol(peek(cursor), "]")) {
      return { type: "list", items, at: { start: open.start, end: take(cursor).end } };
    }
    if (isPastList(cursor)) {
      complain(cursor, open, "this [ is not closed");
      return { type: "bad", at: open };
    }
    const value = parseValue(cursor);
    items.push(value);
    skipNewlines(cursor);
    if (isSymbol(peek(cursor), ",")) take(cursor);
    else if (!isSymbol(peek(cursor), "]") && !isPastList(cursor)) {
      const gap = { start: value.at.end, end: value.at.end + 1 };
      complain(cursor, gap, "a comma is missing between the items of this list");
    }
  }
}

/** Whether something begins here that can't be in a list: then the list was not closed. */
function isPastList(cursor: Cursor): boolean {
  const token = peek(cursor);
  const next = peek(cursor, 1);
  if (token.type === "end" || isSymbol(token, "}", ")") || isSymbol(next, "=")) return true;
  return token.type === "word" && (isSymbol(next, "{") || (next.type === "string" && !isConstant(token)));
}

function isConstant(token: Token): boolean {
  return token.text === "true" || token.text === "false" || token.text === "null";
}

function parseObject(cursor: Cursor): Value {
  const open = take(cursor);
  const entries = new Map<string, Entry>();
  const object = (end: number): Value => ({
    type: "object",
    entries: [...entries.values()],
    at: { start: open.start, end },
  });
  for (;;) {
    skipNewlines(cursor);
    const token = peek(cursor);
    if (token.type === "end") {
      complainUnclosed(cursor, open);
      return object(open.end);
    }
    if (isSymbol(token, "}")) return object(closeBrace(cursor, open).end);
    const entry = parseEntry(cursor);
    if (entry === null) skipTo(cursor, ",", "}");
    else if (entries.has(entry.key)) cursor.report(entry.at, `"${entry.key}" is set twice in this object`);
    else entries.set(entry.key, entry);
    endEntry(cursor);
  }
}

function parseEntry(cursor: Cursor): Entry | null {
  const key = peek(cursor);
  if (key.type !== "word" && key.type !== "string") {
    if (key.type !== "bad")
      complain(cursor, key, `expected a key, not ${describe(key)}`, "an entry is key = value");
    return null;
  }
  take(cursor);
  if (!isSymbol(peek(cursor), "=", ":")) {
    complain(
      cursor,
      peek(cursor),
      `expected = after "${key.text}", not ${describe(peek(cursor))}`,
      "an entry is key = value",
    );
    return null;
  }
  take(cursor);
  return { key: key.text, at: { start: key.start, end: key.end }, value: parseValue(cursor) };
}

function endEntry(cursor: Cursor): void {
  const token = peek(cursor);
  if (isSymbol(token, ",")) take(cursor);
  else if (token.type !== "newline" && token.type !== "end" && !isSymbol(token, "}")) {
    const isNext = (token.type === "word" || token.type === "string") && isSymbol(peek(cursor, 1), "=", ":");
    complain(
      cursor,
      token,
      isNext ? "a comma is missing before this entry" : `${describe(token)} is unexpected here`,
    );
    if (!isNext) skipTo(cursor, ",", "}");
  }
}

function textOf(token: Extract<Token, { type: "string" }>): Text {
  return {
    type: "string",
    value: token.value,
    marks: token.marks,
    at: { start: token.start, end: token.end },
  };
}
