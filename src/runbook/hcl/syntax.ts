/** The syntax tree of HCL, in the order of the file. What a block or an attribute means is in schema.ts. */

import type { Span } from "./source.ts";

export type Item = Attribute | Block;

export interface Attribute {
  type: "attribute";
  name: string;
  /** The place of its name. */
  at: Span;
  value: Value;
}

export interface Block {
  type: "block";
  kind: string;
  /** The place of its kind and labels. */
  at: Span;
  /** Where it ends, after its `}`. */
  end: number;
  labels: { text: string; at: Span }[];
  items: Item[];
  /** Something in it could not be read, so whatever seems missing may be there. */
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
  /** Something that could not be read and was reported. */
  | { type: "bad"; at: Span };

export interface Entry {
  key: string;
  at: Span;
  value: Value;
}

export interface Text {
  type: "string";
  /** Escapes are decoded; `${…}` and `%{…}` are kept as written. */
  value: string;
  marks: Mark[];
  at: Span;
}

/** From `at` on, the text comes from `source` onwards. If `fixed`, all of it comes from that one place. */
export interface Mark {
  at: number;
  source: number;
  fixed?: true;
}

/** The place of a piece of a string in the file. */
export function spanIn(text: Text, start: number, end: number): Span {
  const from = placeOf(text, start);
  const to = markAt(text, start)?.fixed ? from : placeOf(text, Math.max(start, end - 1));
  return { start: from, end: Math.max(from, to) + 1 };
}

function placeOf(text: Text, offset: number): number {
  const mark = markAt(text, offset);
  if (mark === undefined) return text.at.start;
  return mark.fixed ? mark.source : mark.source + (offset - mark.at);
}

/** The last mark at or before an offset. A binary search, since a long heredoc has a mark for each line. */
function markAt({ marks }: Text, offset: number): Mark | undefined {
  let low = -1;
  let high = marks.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((marks[middle]?.at ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return marks[low];
}

/** The value of a block's attribute. */
export function valueIn(block: Block, name: string): Value | undefined {
  for (const item of block.items) {
    if (item.type === "attribute" && item.name === name) return item.value;
  }
  return undefined;
}

/** The place of a block's name. */
export function nameAt(block: Block): Span {
  return block.labels[0]?.at ?? block.at;
}

export function blocksIn(block: Block, kind: string): Block[] {
  return block.items.flatMap((it) => (it.type === "block" && it.kind === kind ? [it] : []));
}

/** The place of an attribute's value, or of a key in it; the block's own place if there is none. */
export function placeIn(block: Block, name: string, key?: string): Span {
  const value = valueIn(block, name);
  const inner = key === undefined ? undefined : entriesOf(block, name).find((it) => it.key === key);
  return inner?.value.at ?? value?.at ?? block.at;
}

/** The entries of an object, whether it is written `name = { … }` or `name { … }`. */
export function entriesOf(block: Block, name: string): Entry[] {
  const value = valueIn(block, name);
  if (value?.type === "object") return value.entries;
  const [inner] = blocksIn(block, name);
  return (inner?.items ?? []).flatMap((it) =>
    it.type === "attribute" ? [{ key: it.name, at: it.at, value: it.value }] : [],
  );
}

/** Every string in a value, at any depth. */
export function textsIn(value: Value): Text[] {
  if (value.type === "string") return [value];
  if (value.type === "list") return value.items.flatMap(textsIn);
  if (value.type === "object") return value.entries.flatMap((it) => textsIn(it.value));
  return [];
}

/** Every string in an item, including its inner blocks. */
export function textsOf(item: Item): Text[] {
  return item.type === "attribute" ? textsIn(item.value) : item.items.flatMap(textsOf);
}
