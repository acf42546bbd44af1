/**
 * HCL text → syntax tree. It continues after a mistake, so that all of them are reported at once. Values are in
 * values.ts.
 */

import type { Cursor } from "./cursor.ts";
import {
  closeBrace,
  complain,
  complainUnclosed,
  cursorOf,
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
import { lex } from "./lexer.ts";
import type { Report, Source } from "./source.ts";
import { lineOf } from "./source.ts";
import type { Attribute, Block, Item } from "./syntax.ts";
import { parseValue } from "./values.ts";

export function parseHcl(source: Source, report: Report): Item[] {
  const cursor = cursorOf(source, lex(source, report), report);
  return parseItems(cursor, null).items;
}

/** The items between `open` and its `}`, or in the whole file. */
function parseItems(cursor: Cursor, open: Token | null): Pick<Block, "items" | "broken"> {
  const items: Item[] = [];
  const names = new Map<string, Attribute>();
  let broken = false;
  for (;;) {
    skipNewlines(cursor);
    const token = peek(cursor);
    if (token.type === "end") {
      if (open !== null) complainUnclosed(cursor, open);
      return { items, broken: broken || open !== null };
    }
    if (isSymbol(token, "}")) {
      closeBrace(cursor, open ?? token);
      if (open !== null) return { items, broken };
      complain(cursor, token, "this } closes nothing");
      continue;
    }
    const item = parseItem(cursor);
    if (item === null) {
      broken = true;
      skipTo(cursor, "}");
      continue;
    }
    const first = item.type === "attribute" ? names.get(item.name) : undefined;
    if (first)
      cursor.report(
        item.at,
        `"${first.name}" is set twice`,
        `first on line ${lineOf(cursor.source, first.at.start)}`,
      );
    else items.push(item);
    if (item.type === "attribute" && !first) names.set(item.name, item);
    endItem(cursor);
  }
}

function parseItem(cursor: Cursor): Item | null {
  const token = peek(cursor);
  if (token.type === "bad") {
    takeBad(cursor);
    return null;
  }
  const next = peek(cursor, 1);
  const isAttribute = isSymbol(next, "=", ":");
  if (token.type === "string" && isAttribute)
    complain(cursor, token, "the name of an attribute takes no quotes");
  else if (token.type !== "word") {
    complain(cursor, token, `expected an attribute or a block, not ${describe(token)}`);
    return null;
  }
  return isAttribute ? parseAttribute(cursor) : parseBlock(cursor);
}

function parseAttribute(cursor: Cursor): Attribute {
  const { text: name, start, end } = take(cursor);
  const sign = take(cursor);
  if (sign.text === ":") complain(cursor, sign, "an attribute is set with =");
  return { type: "attribute", name, at: { start, end }, value: parseValue(cursor) };
}

function parseBlock(cursor: Cursor): Block | null {
  const { text: kind, start, end } = take(cursor);
  const at = { start, end };
  const block: Block = { type: "block", kind, at, end, labels: [], items: [], broken: false };
  for (let token = peek(cursor); token.type === "string" || token.type === "word"; token = peek(cursor)) {
    take(cursor);
    block.labels.push({ text: token.text, at: { start: token.start, end: token.end } });
    block.at.end = token.end;
  }
  if (!hasBrace(cursor, block)) return null;
  const inside = () => parseItems(cursor, take(cursor));
  const read = deeper(cursor, inside, { items: [], broken: true });
  return { ...block, ...read, end: cursor.tokens[cursor.at - 1]?.end ?? end };
}

function hasBrace(cursor: Cursor, { kind, labels, at }: Block): boolean {
  const token = peek(cursor);
  if (isSymbol(token, "{")) return true;
  if (token.type === "newline" && nextBrace(cursor)) {
    complain(cursor, at, `the { of this block must be on the same line`);
    skipNewlines(cursor);
    return true;
  }
  const [label] = labels;
  const hint = label ? `to set it, write ${kind} = …` : `a value is ${kind} = …, a block is ${kind} { … }`;
  if (token.type !== "bad")
    complain(cursor, token, `expected ${label ? "{" : "= or {"} after ${kind}, not ${describe(token)}`, hint);
  return false;
}

function nextBrace(cursor: Cursor): boolean {
  let ahead = 0;
  while (peek(cursor, ahead).type === "newline") ahead += 1;
  return isSymbol(peek(cursor, ahead), "{");
}

/** An item must be followed by a new line, the end of the block, or (in a block on one line) the next item. */
function endItem(cursor: Cursor): void {
  const token = peek(cursor);
  if (isSymbol(token, ",")) {
    complain(cursor, token, "the items of a block are not separated by commas", "remove the comma");
    take(cursor);
  } else if (token.type === "symbol" && token.text !== "}") {
    complain(cursor, token, `${describe(token)} is unexpected here`);
    skipTo(cursor, "}");
  }
}
