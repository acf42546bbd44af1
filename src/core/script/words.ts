/**
 * How bash splits text into words, with the arrays, subscripts and
 * patterns in them. What the words mean is in core/script/grammar.ts.
 */
import type { Word } from "./flow.ts";

import { addFlow, emptyFlow } from "./flow.ts";
import { takeNewline } from "./heredoc.ts";
import { HOLE } from "./hole.ts";
import { takeOpen, takeSubstitution } from "./lexer.ts";
import { literalOf } from "./literal.ts";
import type { Scan } from "./scan.ts";
import { goDeeper, takeHole, takeMatch, takeUntil, unclear } from "./scan.ts";
import { calculateKey } from "./variables.ts";

/** Where a word is: an argument, where it may be an assignment, in an array, or where exactly one word is allowed. */
type Role = "argument" | "command" | "element" | "single";

export function takeWord(scan: Scan, role: Role): Word {
  return wordOf(scan, "something else where a word should be", (start) => {
    while (scan.at < scan.text.length && takePart(scan, role, start));
  });
}

/** The right side of `=~`, where parentheses and bars belong to the word. */
export function takeRegex(scan: Scan): Word {
  return wordOf(scan, "a =~ without a pattern", () => {
    while (scan.at < scan.text.length && !/[ \t\n]/.test(scan.text[scan.at] ?? "")) {
      if (scan.text[scan.at] === "(") takeGroup(scan);
      else takeOpen(scan, "word");
    }
  });
}

function wordOf(scan: Scan, otherwise: string, take: (start: number) => void): Word {
  const { at: start, holes, flow, splits, spans, elements } = scan;
  Object.assign(scan, { holes: [], flow: emptyFlow(), splits: false, spans: [], elements: null });
  take(start);
  if (scan.at === start) throw unclear(scan, otherwise);
  const text = scan.text.slice(start, scan.at);
  const word: Word = {
    text,
    start,
    holes: scan.holes,
    flow: scan.flow,
    literal: literalOf(text),
    splits: scan.splits || /[{*?[]/.test(text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\.|\$\{/g, "")),
    spans: scan.spans,
    elements: scan.elements,
  };
  Object.assign(scan, { holes, flow, splits, spans, elements });
  return word;
}

/** Where a command may begin, these are no commands. */
export function isReserved(word: string): boolean {
  return /^(?:case|esac|in|for|select|while|until|do|done|if|then|elif|else|fi|function|time|coproc|[{}!]|\[\[|\]\])$/.test(
    word,
  );
}

export function isAssignment(text: string): boolean {
  return /^[A-Za-z_]\w*(?:\[[\s\S]*\])?\+?=/.test(text);
}

/** `[key]=…` in an array. */
function isKeyed(text: string): boolean {
  return /^\[[\s\S]*\]\+?=/.test(text);
}

export function takeBlanks(scan: Scan): void {
  takeMatch(scan, /(?:[ \t]|\\\n)+/y);
}

/** Blanks, newlines and comments. */
export function takeGaps(scan: Scan): void {
  for (;;) {
    takeBlanks(scan);
    if (scan.text[scan.at] === "\n") takeNewline(scan);
    else if (scan.text[scan.at] === "#") takeComment(scan);
    else return;
  }
}

export function takeComment(scan: Scan): void {
  while (scan.at < scan.text.length && scan.text[scan.at] !== "\n") {
    if (scan.text[scan.at] === HOLE) takeHole(scan, "comment");
    else scan.at++;
  }
}

/** Takes the next part of a word; false at its end. */
function takePart(scan: Scan, role: Role, start: number): boolean {
  const char = scan.text[scan.at] ?? "";
  if (/[ \t\n;&|)]/.test(char)) return false;
  if (char === "<" || char === ">") {
    if (scan.text[scan.at + 1] !== "(") return false;
    const from = scan.at;
    scan.at++;
    takeSubstitution(scan);
    scan.spans.push([from, scan.at]);
    return true;
  }
  const before = "([".includes(char) || char === HOLE ? scan.text.slice(start, scan.at) : "";
  if (char === "(") return takeParens(scan, role, before);
  if (char === "[" && isSubscript(role, before)) takeSubscript(scan, before);
  else takeOpen(scan, role === "single" || isAssignment(before) || isKeyed(before) ? "word" : "words");
  return true;
}

/** `name=(…)` and the patterns `@(…)`, `!(…)` and so on; elsewhere a parenthesis ends the word. */
function takeParens(scan: Scan, role: Role, before: string): boolean {
  if (/^[A-Za-z_]\w*(?:\[[\s\S]*\])?\+?=$/.test(before)) takeArray(scan);
  else if (/[?*+@!]$/.test(before) && !(role === "command" && before === "!")) takeGroup(scan);
  else return false;
  return true;
}

function takeArray(scan: Scan): void {
  const elements: Word[] = [];
  scan.at++;
  for (;;) {
    // Bash 5.2 itself loses the here-document here.
    if (scan.heredocs.length > 0) throw unclear(scan, "an array next to a here-document");
    takeGaps(scan);
    if (takeMatch(scan, /\)/y)) {
      scan.elements = elements;
      return;
    }
    const element = takeWord(scan, "element");
    addFlow(scan.flow, element.flow);
    elements.push(element);
  }
}

function takeGroup(scan: Scan): void {
  goDeeper(scan);
  scan.at++;
  takeUntil(scan, ")", "a (", () => (scan.text[scan.at] === "(" ? takeGroup(scan) : takeOpen(scan, "word")));
  scan.depth--;
}

function isSubscript(role: Role, before: string): boolean {
  return (role === "command" && /^[A-Za-z_]\w*$/.test(before)) || (role === "element" && before === "");
}

/**
 * `[…]` after a name, or before the `=` of an array's element. Bash
 * evaluates it if an assignment follows; otherwise it's a pattern.
 */
function takeSubscript(scan: Scan, name: string): void {
  const found = scan.holes.length;
  const start = scan.at;
  const outer = scan.flow;
  const flow = emptyFlow();
  scan.flow = flow;
  takeBrackets(scan);
  scan.flow = outer;
  addFlow(outer, flow);
  if (!/^\+?=/.test(scan.text.slice(scan.at, scan.at + 2))) return;
  for (const [it] of scan.text.slice(start, scan.at).matchAll(/[A-Za-z_]\w*/g)) flow.names.add(it);
  calculateKey(scan, { name: name || null, start, flow, direct: scan.holes.slice(found) });
}

function takeBrackets(scan: Scan): void {
  goDeeper(scan);
  scan.at++;
  takeUntil(scan, "]", "a [", () =>
    scan.text[scan.at] === "[" ? takeBrackets(scan) : takeOpen(scan, "word"),
  );
  scan.depth--;
}
