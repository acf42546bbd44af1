/** Turns `file("…")` and `env("…")`, as values and inside strings, into text. Reading the files is up to load.ts. */

import type { Report, Span } from "./source.ts";
import type { Item, Mark, Text, Value } from "./syntax.ts";
import { spanIn } from "./syntax.ts";

/** A file's text, or why there is none. */
export type FileText = { text: string } | { problem: string };

/** The most text that a runbook may paste in, all files together. */
const MOST_TEXT = 4 * 1024 * 1024;

/** The paths of all files that the runbook pastes. */
export function filesIn(items: Item[]): string[] {
  const paths = new Set<string>();
  expand(items, (path) => {
    paths.add(path);
    return { text: "" };
  });
  return [...paths];
}

/**
 * Files are pasted. An environment variable becomes `${env.NAME}`, so that its value travels like any other and is
 * never pasted into a script.
 */
export function expand(items: Item[], fileAt: (path: string) => FileText, report: Report = () => {}): Item[] {
  let pasted = 0;
  return items.map(expandItem);

  function expandItem(item: Item): Item {
    if (item.type === "attribute") return { ...item, value: expandValue(item.value) };
    return { ...item, items: item.items.map(expandItem) };
  }

  function expandValue(value: Value): Value {
    switch (value.type) {
      case "list":
        return { ...value, items: value.items.map(expandValue) };
      case "object":
        return { ...value, entries: value.entries.map((it) => ({ ...it, value: expandValue(it.value) })) };
      case "string":
        return value.value.includes("${") ? expandText(value) : value;
      case "call": {
        const result = call(value.name, value.argument.value, value.at);
        if (result === null) return { type: "bad", at: value.at };
        return {
          type: "string",
          value: result,
          marks: [{ at: 0, source: value.at.start, fixed: true }],
          at: value.at,
        };
      }
      default:
        return value;
    }
  }

  function expandText(text: Text): Text {
    const pieces: Piece[] = [];
    let from = 0;
    for (const match of text.value.matchAll(/(?<!\$)\$\{\s*(file|env)\s*\((?:\s*"([^"]*)"\s*\)\s*\})?/g)) {
      const end = match.index + match[0].length;
      const [, name = "", argument] = match;
      const at = spanIn(text, match.index, end);
      if (argument === undefined)
        report(at, `${name} takes one string`, `like \${${name}("…")}, with no backslash before the quotes`);
      const result = argument === undefined ? null : call(name, argument, at);
      if (result === null) continue;
      pieces.push({ start: from, end: match.index }, { start: match.index, end, text: result });
      from = end;
    }
    return pieces.length === 0 ? text : joined(text, [...pieces, { start: from, end: text.value.length }]);
  }

  function call(name: string, argument: string, at: Span): string | null {
    if (name === "env") {
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(argument)) return `\${env.${argument}}`;
      report(at, `"${argument}" is not the name of an environment variable`);
      return null;
    }
    if (/[$%]\{/.test(argument)) {
      report(at, "the path of a file can't contain ${…}", "it is read when the runbook is loaded");
      return null;
    }
    const file = fileAt(argument);
    if ("problem" in file) {
      report(at, `file "${argument}" ${file.problem}`);
      return null;
    }
    pasted += file.text.length;
    if (pasted <= MOST_TEXT) return file.text;
    report(at, `more than ${MOST_TEXT / 1024 / 1024} MB of files are pasted into this runbook`);
    return null;
  }
}

/** A part of a string: unchanged, or replaced by `text`. */
interface Piece {
  start: number;
  end: number;
  text?: string;
}

function joined(text: Text, pieces: Piece[]): Text {
  let value = "";
  let next = 0;
  const marks: Mark[] = [];
  for (const { start, end, text: pasted } of pieces) {
    const source = spanIn(text, start, start + 1).start;
    marks.push({ at: value.length, source, ...(pasted === undefined ? {} : { fixed: true }) });
    const shift = value.length - start;
    for (let mark = text.marks[next]; mark && mark.at < end; mark = text.marks[++next]) {
      if (mark.at > start && pasted === undefined) marks.push({ ...mark, at: mark.at + shift });
    }
    value += pasted ?? text.value.slice(start, end);
  }
  return { ...text, value, marks };
}
