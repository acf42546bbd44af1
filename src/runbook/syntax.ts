/** The syntax tree of HCL, in the order of the file. What a block or an attribute means is schema.ts. */

import type { Span } from "./source.ts";

export type Item = Attribute | Block;

export interface Attribute {
  type: "attribute";
  name: string;
  /** Where its name stands. */
  at: Span;
  value: Value;
}

export interface Block {
  type: "block";
  kind: string;
  /** Where its kind and labels stand. */
  at: Span;
  labels: { text: string; at: Span }[];
  items: Item[];
  /** Something in it could not be read: what seems missing may be there. */
  broken: boolean;
}

export type Value =
  | Text
  | { type: "number"; value: number; text: string; at: Span }
  | { type: "bool"; value: boolean; at: Span }
  | { type: "null"; at: Span }
  | { type: "list"; items: Value[]; at: Span }
  | { type: "object"; entries: Entry[]; at: Span }
  | { type: "call"; name: "file" | "env"; argument: Text; at: Span }
  /** Something that could not be read, and was reported. */
  | { type: "bad"; at: Span };

export interface Entry {
  key: string;
  at: Span;
  value: Value;
}

export interface Text {
  type: "string";
  /** Escapes are decoded; `${…}` and `%{…}` stand as written. */
  value: string;
  marks: Mark[];
  at: Span;
}

/** From `at` on, the text comes from `source` on. When `fixed`, all of it comes from that one place. */
export interface Mark {
  at: number;
  source: number;
  fixed?: true;
}

/** Where a piece of a string stands in the file. */
export function spanIn(text: Text, start: number, end: number): Span {
  const from = sourceOffset(text, start);
  const mark = text.marks.findLast((it) => it.at <= start);
  return { start: from, end: mark?.fixed ? from + 1 : Math.max(from + 1, sourceOffset(text, end - 1) + 1) };
}

function sourceOffset(text: Text, offset: number): number {
  const mark = text.marks.findLast((it) => it.at <= offset);
  if (mark === undefined) return text.at.start;
  return mark.fixed ? mark.source : mark.source + (offset - mark.at);
}
