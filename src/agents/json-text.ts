/**
 * A JSON file as the text that somebody wrote: values are added and removed, and every other byte stays, comments too.
 * Removing what was added restores the original text. Only for text that `JSON.parse` accepts once it is `plainJson`.
 */
import { commentsIn, plainJson } from "./json-comments.ts";

export type Node = Place &
  ({ kind: "object"; members: Member[] } | { kind: "array"; items: Node[] } | { kind: "value" });

export interface Member extends Place {
  key: string;
  value: Node;
}

interface Place {
  start: number;
  end: number;
}

export function readJson(given: string): Node {
  const text = plainJson(given);
  let at = 0;

  function blanks(): void {
    while (" \t\r\n\uFEFF".includes(text[at] ?? "x")) at += 1;
  }

  function value(): Node {
    blanks();
    const start = at;
    if (text[at] === "{") return { kind: "object", members: list("}", member), start, end: at };
    if (text[at] === "[") return { kind: "array", items: list("]", value), start, end: at };
    if (text[at] === '"') at = endOfString(text, at);
    else while (/[\w.+-]/.test(text[at] ?? "")) at += 1;
    return { kind: "value", start, end: at };
  }

  function member(): Member {
    blanks();
    const start = at;
    at = endOfString(text, at);
    const key = JSON.parse(text.slice(start, at)) as string;
    blanks();
    at += 1; // the colon
    const it = value();
    return { key, value: it, start, end: it.end };
  }

  function list<T>(close: string, read: () => T): T[] {
    const all: T[] = [];
    at += 1;
    for (blanks(); text[at] !== close; blanks()) {
      if (text[at] === ",") at += 1;
      else all.push(read());
    }
    at += 1;
    return all;
  }

  return value();
}

/** The last member of that name, because that is the one that counts. */
export function memberOf(node: Node, key: string): Member | undefined {
  return node.kind === "object" ? node.members.findLast((it) => it.key === key) : undefined;
}

export interface Layout {
  newline: string;
  indent: string;
}

function layoutOf(text: string): Layout {
  const [, newline = "\n", indent = "  "] = /^\uFEFF?\s*\{(\r?\n)([ \t]+)"/.exec(text) ?? [];
  return { newline: text.includes("\r\n") ? "\r\n" : newline, indent };
}

/** Adds a value after the container's last child and the comments that follow it. `key` is for objects. */
export function putIn(text: string, into: Node, value: unknown, depth: number, key?: string): string {
  const { newline, indent } = layoutOf(text);
  const margin = newline + indent.repeat(depth);
  const json = JSON.stringify(value, null, indent).replaceAll("\n", margin);
  const written = key === undefined ? json : `${JSON.stringify(key)}: ${json}`;
  const last = childrenOf(into).at(-1);
  if (!last) return text.slice(0, into.start + 1) + written + text.slice(into.start + 1);
  const comma = commaAfter(text, last.end);
  const notes = commentsIn(text).filter((it) => it.start >= last.end && it.end <= into.end);
  const at = Math.max(last.end, (comma ?? 0) + 1, ...notes.map((it) => it.end));
  // whoever ends their lists with a comma gets ours with one too
  if (comma !== null) return `${text.slice(0, at)}${margin}${written},${text.slice(at)}`;
  return `${text.slice(0, last.end)},${text.slice(last.end, at)}${margin}${written}${text.slice(at)}`;
}

/** Removes one of the container's children, with the comma and the blanks that came with it. */
export function takeOut(text: string, from: Node, index: number): string {
  const children = childrenOf(from);
  const [before, it] = [children[index - 1], children[index]];
  if (!it) return text;
  const next = commaAfter(text, it.end);
  if (!before) {
    const rest = text.slice(next === null ? it.end : next + 1);
    return (
      text.slice(0, it.start) + (next === null || index === children.length - 1 ? rest : rest.trimStart())
    );
  }
  const start = it.start - (/\s*$/.exec(text.slice(before.end, it.start))?.[0].length ?? 0);
  if (next !== null) return text.slice(0, start) + text.slice(next + 1);
  const comma = commaAfter(text, before.end) ?? before.end;
  return text.slice(0, comma) + text.slice(comma + 1, start) + text.slice(it.end);
}

/** Where the comma is that follows, past blanks and comments; null if none does. */
function commaAfter(text: string, end: number): number | null {
  let at = end;
  for (;;) {
    while (/\s/.test(text[at] ?? "")) at += 1;
    const note = commentsIn(text).find((it) => it.start === at);
    if (!note) return text[at] === "," ? at : null;
    at = note.end;
  }
}

function childrenOf(node: Node): Place[] {
  if (node.kind === "object") return node.members;
  return node.kind === "array" ? node.items : [];
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
