/**
 * A runbook's text and the problems found in it: turns offsets into line, column and excerpt. Others decide what is
 * wrong.
 */

import type { Problem } from "../../core/model/runbook.ts";

/** UTF-16 offsets into the text. */
export interface Span {
  start: number;
  end: number;
}

export interface Source {
  path: string;
  text: string;
  /** Where each line begins. */
  lines: number[];
}

/** A hint that takes time to find is a function: it is called only if the problem will be shown. */
export type Hint = string | (() => string);
export type Report = (at: Span, message: string, hint?: Hint) => void;

const MOST_PROBLEMS = 50;

const LONGEST_MESSAGE = 300;

/** A longer line is not quoted: only its place is shown. */
const LONGEST_EXCERPT = 1000;

export function sourceOf(path: string, given: string): Source {
  const text = given.startsWith("\uFEFF") ? given.slice(1) : given;
  const lines = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.push(at + 1);
  return { path, text, lines };
}

/** A problem before its line and column are counted: that takes time, and only a few will be shown. */
export interface Finding {
  at: Span;
  message: string;
  hint?: Hint | undefined;
}

/** The problems in the order of the file, without duplicates, and no more than a person will read. */
export function problemsOf(source: Source, findings: Finding[]): Problem[] {
  const seen = new Set<string>();
  const unique = findings
    .filter(({ at, message }) => !seen.has(`${at.start} ${message}`) && seen.add(`${at.start} ${message}`))
    .sort((a, b) => a.at.start - b.at.start);
  const problems = unique.slice(0, MOST_PROBLEMS).map((it) => problemAt(source, it));
  const next = unique[MOST_PROBLEMS];
  if (next === undefined) return problems;
  const more = unique.length - MOST_PROBLEMS;
  return [...problems, problemAt(source, { at: next.at, message: `and ${more} more` })];
}

function problemAt(source: Source, { at, message, hint }: Finding): Problem {
  const line = lineOf(source, at.start);
  const from = source.lines[line - 1] ?? 0;
  const excerpt = lineText(source, line);
  const start = Math.min(at.start, from + excerpt.length);
  const end = Math.min(at.end, from + excerpt.length);
  return {
    path: source.path,
    line,
    column: codePoints(source.text, from, start) + 1,
    length: Math.max(1, codePoints(source.text, start, end)),
    message: oneLine(message),
    ...(hint === undefined ? {} : { hint: oneLine(typeof hint === "string" ? hint : hint()) }),
    excerpt: excerpt.length > LONGEST_EXCERPT ? "" : excerpt,
  };
}

/** A message quotes what is in the file, which may be long or have several lines. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > LONGEST_MESSAGE
    ? `${line.slice(0, LONGEST_MESSAGE).replace(/[\uD800-\uDBFF]$/, "")}…`
    : line;
}

/** The line, counted from 1, that an offset is on. */
export function lineOf({ lines }: Source, offset: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

function lineText({ text, lines }: Source, line: number): string {
  const from = lines[line - 1] ?? 0;
  const next = lines[line];
  return text.slice(from, next === undefined ? text.length : next - 1).replace(/\r$/, "");
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}
