/**
 * How bash reads quotes and expansions, as far as that matters to a
 * hole in them. Commands and words are in core/script/grammar.ts.
 */

import { EVALUATED, NAME } from "./faults.ts";
import type { Flow } from "./flow.ts";
import { ANYTHING, addFlow, emptyFlow, forbid, needs } from "./flow.ts";
import type { Place } from "./hole.ts";
import { HOLE } from "./hole.ts";
import type { Scan } from "./scan.ts";
import {
  expandName,
  goDeeper,
  noteCompound,
  scanInside,
  takeHole,
  takeMatch,
  takeUntil,
  unclear,
} from "./scan.ts";
import { calculateKey, setVariable } from "./variables.ts";

/** Takes one character, escape, quote or expansion in unquoted text. */
export function takeOpen(scan: Scan, place: Place): void {
  const char = scan.text[scan.at];
  if (char === "'") takeSingle(scan);
  else if (char === '"') takeDouble(scan);
  else if (char === "$" && scan.text[scan.at + 1] === "'") takeAnsi(scan);
  else if (char === HOLE) takeHole(scan, place);
  else takeQuoted(scan, false);
}

/** The same where only `\`, `$` and backticks are special: in double quotes, here-documents and arithmetic. */
export function takeQuoted(scan: Scan, quoted = true): void {
  const start = scan.at;
  const char = scan.text[start];
  if (char === "\\") takeEscape(scan);
  else if (char === "$") takeDollar(scan, quoted);
  else if (char === "`") takeBackticks(scan, quoted);
  else if (char === HOLE) takeHole(scan, "double");
  else scan.at++;
  if ((char === "$" && scan.at > start + 1) || char === "`") scan.spans.push([start, scan.at]);
}

/** Takes `$(…)` or `<(…)` from its "(" on: the commands inside don't depend on what surrounds them. */
export function takeSubstitution(scan: Scan): void {
  const { holes, need, heredocs, awaited, flow, splits, level, input, bodies, documents, spans, elements } =
    scan;
  Object.assign(scan, {
    holes: [],
    need: undefined,
    heredocs: [],
    awaited: awaited || heredocs.length > 0,
    flow: emptyFlow(),
    spans: [],
    level: { output: emptyFlow(), all: emptyFlow() },
  });
  scan.at++;
  noteCompound(scan);
  scan.commands(scan, ")");
  if (scan.heredocs.length > 0) throw unclear(scan, "a substitution that ends before its here-document");
  addFlow(flow, scan.level.output);
  Object.assign(scan, {
    holes,
    need,
    heredocs,
    awaited,
    flow,
    splits,
    level,
    input,
    bodies,
    documents,
    spans,
    elements,
  });
}

/** `((…))`; false, with nothing taken, if bash finds two subshells instead. */
export function takeDoubleParens(scan: Scan): boolean {
  const { at } = scan;
  if (scan.subshells.has(at)) return false;
  const found = [scan.edits.length, scan.holes.length, scan.flows.later.length] as const;
  scan.at += 2;
  takeArithmetic(scan, ")");
  if (scan.text[scan.at] === ")") {
    scan.at++;
    return true;
  }
  [scan.edits.length, scan.holes.length, scan.flows.later.length] = found;
  scan.subshells.add(at);
  scan.at = at;
  return false;
}

/**
 * Takes arithmetic and its closing bracket. Bash evaluates the *value* of a variable there, so that `a[$(reboot)]`
 * would run. Holes need integers, and what gets there through variables and substitutions must be a number too.
 */
function takeArithmetic(scan: Scan, close: ")" | "]" | "}"): void {
  const { need } = scan;
  scan.need = "integer";
  needs(scan.flows, takeCalculated(scan, close), "operand");
  scan.need = need;
}

/**
 * The same text without saying what it needs: the key of an associative array looks like this too, but is only text.
 */
function takeCalculated(scan: Scan, close: ")" | "]" | "}"): Flow {
  const open = { ")": "(", "]": "[", "}": "" }[close];
  const outer = scan.flow;
  const flow = emptyFlow();
  scan.flow = flow;
  goDeeper(scan);
  let nested = 0;
  while (nested > 0 || scan.text[scan.at] !== close) {
    const char = scan.text[scan.at];
    if (char === undefined) throw unclear(scan, "arithmetic that is not closed");
    if (char === open) nested++;
    if (char === close) nested--;
    const [word] = takeMatch(scan, /\w+/y) ?? [];
    if (word !== undefined) {
      if (/^[A-Za-z_]/.test(word)) flow.names.add(word);
    } else if (char === '"') takeDouble(scan);
    else if (char === "'") takeDoubtfulPair(scan);
    else takeQuoted(scan);
  }
  scan.at++;
  scan.depth--;
  scan.flow = outer;
  return flow;
}

function takeEscape(scan: Scan): void {
  if (scan.text[scan.at + 1] === HOLE)
    throw unclear(scan, "a backslash before a reference (a literal ${ is written $${)");
  scan.at = Math.min(scan.at + 2, scan.text.length);
}

function takeSingle(scan: Scan): void {
  scan.at++;
  takeUntil(scan, "'", "a single quote", () => {
    if (scan.text[scan.at] === HOLE) takeHole(scan, "single");
    else scan.at++;
  });
}

function takeAnsi(scan: Scan): void {
  scan.at += 2;
  takeUntil(scan, "'", "a single quote", () => {
    if (scan.text[scan.at] === HOLE) takeHole(scan, "ansi");
    else if (scan.text[scan.at] === "\\") takeEscape(scan);
    else scan.at++;
  });
}

function takeDouble(scan: Scan): void {
  scan.at++;
  takeUntil(scan, '"', "a double quote", () => takeQuoted(scan));
}

function takeDollar(scan: Scan, quoted: boolean): void {
  if (!quoted) scan.splits = true;
  const next = scan.text[scan.at + 1];
  if (next === "{") takeParameter(scan, quoted);
  else if (next === "(") {
    scan.at++;
    const isArithmetic = scan.text[scan.at + 1] === "(" && takeDoubleParens(scan);
    if (!isArithmetic) takeSubstitution(scan);
  } else if (next === "[") {
    scan.at += 2;
    takeArithmetic(scan, "]");
  } else {
    const [, name] = takeMatch(scan, /\$([A-Za-z_]\w*|[\d@*#?$!_-])/y) ?? [];
    if (name === undefined) scan.at++;
    else expandName(scan, name);
  }
}

/** `${name}`, `${name[subscript]}`, `${name:offset}`, `${name:-word}`, `${name#pattern}` and the like. */
function takeParameter(scan: Scan, quoted: boolean): void {
  goDeeper(scan);
  const { flows } = scan;
  const start = scan.at;
  const [, prefix = "", name = ""] = takeMatch(scan, /\$\{([!#]?)([A-Za-z_]\w*|\d+|[@*#?$!-]|)/y) ?? [];
  if (scan.text[scan.at] === HOLE) throw unclear(scan, "a reference as the name of a shell variable");
  if (prefix + name === "" && /[\s|]/.test(scan.text[scan.at] ?? "")) throw unclear(scan, "commands in ${");
  const isLength = prefix === "#" && name !== "" && /^(?:\}|\[)/.test(scan.text.slice(scan.at));
  const isIndirect = prefix === "!" && !/^(?:[@*]|\[[@*]\])\}/.test(scan.text.slice(scan.at));
  if (scan.text[scan.at] === "[") takeSubscript(scan, name, start);
  if (isIndirect) {
    // What it names may be any variable, and `a[$(reboot)]` would run.
    const names = emptyFlow();
    names.names.add(name);
    forbid(flows, names, NAME);
    scan.flow.names.add(ANYTHING);
  } else if (!isLength) expandName(scan, prefix === "#" && name === "" ? "#" : name);
  takeOperation(scan, name, quoted);
  scan.depth--;
}

/** `[…]` after the name of an expanded variable: evaluated, unless the array is associative. */
function takeSubscript(scan: Scan, name: string, start: number): void {
  if (takeMatch(scan, /\[[@*]\]/y)) {
    scan.splits = true;
    return;
  }
  const found = scan.holes.length;
  scan.at++;
  const flow = takeCalculated(scan, "]");
  calculateKey(scan, { name, start, flow, direct: scan.holes.slice(found) });
}

/** What follows the name in `${…}`. */
function takeOperation(scan: Scan, name: string, quoted: boolean): void {
  const operator = scan.text.slice(scan.at, scan.at + 2);
  if (/^:[^-=?+]/.test(operator)) {
    scan.at++;
    takeArithmetic(scan, "}");
    return;
  }
  const outer = scan.flow;
  const flow = emptyFlow();
  scan.flow = flow;
  const isPattern = /^[#%/^,@]/.test(operator);
  if (operator === "@P") {
    const expanded = emptyFlow();
    expanded.names.add(name === "" || /\W/.test(name) ? ANYTHING : name);
    addFlow(expanded, outer);
    forbid(scan.flows, expanded, EVALUATED);
  }
  takeUntil(scan, "}", "${", () => (quoted ? takeInBraces(scan, isPattern) : takeOpen(scan, "word")));
  scan.flow = outer;
  addFlow(outer, flow);
  if (/^:?=/.test(operator)) setVariable(scan, name, flow, null);
}

/**
 * The word of a `${…}` within double quotes. In a pattern, the
 * value gets quotes of its own, so that it isn't read as one.
 */
function takeInBraces(scan: Scan, isPattern: boolean): void {
  const char = scan.text[scan.at];
  if (char === '"') takeDouble(scan);
  else if (char === "'") takeDoubtfulPair(scan);
  else if (char === HOLE && isPattern) takeHole(scan, "word");
  else takeQuoted(scan);
}

/** `'…'` where the operator and bash's version decide whether it quotes: taken only if that makes no difference. */
function takeDoubtfulPair(scan: Scan): void {
  const close = scan.text.indexOf("'", scan.at + 1);
  const inside = scan.text.slice(scan.at + 1, close);
  if (close === -1 || inside.includes(HOLE) || /[{}"\\`$]/.test(inside))
    throw unclear(scan, "single quotes that bash may read in two ways");
  scan.at = close + 1;
}

function takeBackticks(scan: Scan, quoted: boolean): void {
  if (!quoted) scan.splits = true;
  const start = scan.at + 1;
  scan.at = start;
  takeUntil(scan, "`", "a backtick", () => {
    scan.at += scan.text[scan.at] === "\\" ? 2 : 1;
  });
  const inside = scan.text.slice(start, scan.at - 1);
  if (quoted && /\\['"`\\]/.test(inside))
    throw unclear(scan, 'a backslash in backticks in quotes (write "$(…)")');
  const script = scanInside(scan, inside.replace(/\\([$`\\])/g, "$1"), start);
  script.commands(script, "");
  addFlow(scan.flow, script.level.output);
  if (inside.includes(HOLE)) scan.edits.push({ type: "nested", start, end: scan.at - 1, script });
}
