/** A runbook's text and the problems found in it: turns offsets into line, column and excerpt. What is wrong, others say. */

import type { Problem } from "../core/runbook.ts";

/** From and to, in UTF-16 offsets into the text. */
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

export type Report = (at: Span, message: string, hint?: string) => void;

const MOST_PROBLEMS = 50;

/** A longer line is shown by its place alone. */
const LONGEST_EXCERPT = 1000;

export function sourceOf(path: string, given: string): Source {
  const text = given.startsWith("\uFEFF") ? given.slice(1) : given;
  const lines = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.push(at + 1);
  return { path, text, lines };
}

export function problemAt(source: Source, at: Span, message: string, hint?: string): Problem {
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
    message,
    ...(hint === undefined ? {} : { hint }),
    excerpt: excerpt.length > LONGEST_EXCERPT ? "" : excerpt,
  };
}

/** In the order of the file, one of a kind, and no more than a person will read. */
export function tidy(problems: Problem[]): Problem[] {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
  const seen = new Set<string>();
  const unique = sorted.filter((it) => {
    const key = `${it.line}:${it.column}:${it.message}`;
    return !seen.has(key) && seen.add(key);
  });
  const next = unique[MOST_PROBLEMS];
  if (next === undefined) return unique;
  const { hint: _, ...rest } = next;
  const more = unique.length - MOST_PROBLEMS;
  return [...unique.slice(0, MOST_PROBLEMS), { ...rest, message: `and ${more} more ${more === 1 ? "problem" : "problems"}` }];
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
