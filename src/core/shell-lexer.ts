/** How bash reads quotes and expansions, so far as it matters to a hole in them. Commands and words are shell-grammar.ts's. */

import type { Place, Scan } from "./shell-scan.ts";
import {
  goDeeper,
  HOLE,
  markUse,
  scanInside,
  takeHole,
  takeMatch,
  takeUntil,
  unclear,
} from "./shell-scan.ts";

/** Takes one character, escape, quote or expansion where nothing is quoted. */
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
  const char = scan.text[scan.at];
  if (char === "\\") takeEscape(scan);
  else if (char === "$") takeDollar(scan, quoted);
  else if (char === "`") takeBackticks(scan, quoted);
  else if (char === HOLE) takeHole(scan, "double");
  else scan.at++;
}

/** From the "(" of `$(…)` or `<(…)`: commands of their own, whatever stands around. */
export function takeSubstitution(scan: Scan): void {
  const { holes, need, heredocs, awaited } = scan;
  Object.assign(scan, { holes: [], need: undefined, heredocs: [], awaited: awaited || heredocs.length > 0 });
  scan.at++;
  scan.commands(scan, ")");
  if (scan.heredocs.length > 0) throw unclear(scan, "a substitution that ends before its here-document");
  Object.assign(scan, { holes, need, heredocs, awaited });
}

/** `((…))`; false, with nothing taken, where bash finds two subshells instead. */
export function takeDoubleParens(scan: Scan): boolean {
  const { at } = scan;
  if (scan.subshells.has(at)) return false;
  const found = [scan.edits.length, scan.holes.length] as const;
  scan.at += 2;
  takeArithmetic(scan, ")");
  if (scan.text[scan.at] === ")") {
    scan.at++;
    return true;
  }
  [scan.edits.length, scan.holes.length] = found;
  scan.subshells.add(at);
  scan.at = at;
  return false;
}

/**
 * Takes arithmetic and its closing bracket. Bash evaluates the *value* of a variable in there, so that `a[$(reboot)]`
 * would run: holes need integers, and variables named in there must not have been set from anything else.
 */
function takeArithmetic(scan: Scan, close: ")" | "]" | "}", marksNames = true): void {
  const open = { ")": "(", "]": "[", "}": "" }[close];
  const { need } = scan;
  goDeeper(scan);
  scan.need = "integer";
  let nested = 0;
  while (nested > 0 || scan.text[scan.at] !== close) {
    const char = scan.text[scan.at];
    if (char === undefined) throw unclear(scan, "arithmetic without its end");
    if (char === open) nested++;
    if (char === close) nested--;
    const [word] = takeMatch(scan, /\w+/y) ?? [];
    if (word !== undefined) {
      if (marksNames && /^[A-Za-z_]/.test(word)) markUse(scan, word, "integer");
    } else if (char === '"') takeDouble(scan);
    else if (char === "'") takeDoubtfulPair(scan);
    else takeQuoted(scan);
  }
  scan.at++;
  scan.need = need;
  scan.depth--;
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
  const next = scan.text[scan.at + 1];
  if (next === "{") takeParameter(scan, quoted);
  else if (next === "(") {
    scan.at++;
    const isArithmetic = scan.text[scan.at + 1] === "(" && takeDoubleParens(scan);
    if (!isArithmetic) takeSubstitution(scan);
  } else if (next === "[") {
    scan.at += 2;
    takeArithmetic(scan, "]");
  } else scan.at += next === "$" ? 2 : 1; // $$ is one word: what follows it is not an expansion
}

/** `${name}`, `${name[subscript]}`, `${name:offset}`, `${name:-word}`, `${name#pattern}` and their like. */
function takeParameter(scan: Scan, quoted: boolean): void {
  goDeeper(scan);
  const [, prefix = "", name = ""] = takeMatch(scan, /\$\{([!#]?)([A-Za-z_]\w*|\d+|[@*#?$!-]|)/y) ?? [];
  if (scan.text[scan.at] === HOLE) throw unclear(scan, "a reference as the name of a shell variable");
  if (prefix + name === "" && /[\s|]/.test(scan.text[scan.at] ?? "")) throw unclear(scan, "commands in ${");
  if (scan.text[scan.at] === "[") {
    scan.at++;
    takeArithmetic(scan, "]", false); // names are left alone: the keys of an associative array are only text
  } else {
    const isEvaluated = prefix === "" && scan.need === "integer" && takesWholeValue(scan);
    if (isEvaluated) markUse(scan, name, "integer");
    if (prefix === "!" && !/[@*]/.test(scan.text[scan.at] ?? "")) markUse(scan, name, "name");
  }
  const operator = scan.text.slice(scan.at, scan.at + 2);
  if (/^:[^-=?+]/.test(operator)) {
    scan.at++;
    takeArithmetic(scan, "}");
  } else {
    const isPattern = /^[#%/^,@]/.test(operator);
    takeUntil(scan, "}", "${", () => (quoted ? takeInBraces(scan, isPattern) : takeOpen(scan, "word")));
  }
  scan.depth--;
}

/** `${n}` and `${n:-0}` give the value itself; `${n%%.*}` gives a part of it. */
function takesWholeValue(scan: Scan): boolean {
  return /^(\}|:?[-=?])/.test(scan.text.slice(scan.at, scan.at + 2));
}

/** The word of a `${…}` within double quotes. A pattern has quotes of its own, lest the value be read as one. */
function takeInBraces(scan: Scan, isPattern: boolean): void {
  const char = scan.text[scan.at];
  if (char === '"') takeDouble(scan);
  else if (char === "'") takeDoubtfulPair(scan);
  else if (char === HOLE && isPattern) takeHole(scan, "word");
  else takeQuoted(scan);
}

/** `'…'` where it depends on the operator and on bash's version whether it quotes: taken where that makes no difference. */
function takeDoubtfulPair(scan: Scan): void {
  const close = scan.text.indexOf("'", scan.at + 1);
  const inside = scan.text.slice(scan.at + 1, close);
  if (close === -1 || inside.includes(HOLE) || /[{}"\\`$]/.test(inside))
    throw unclear(scan, "single quotes that bash may read in two ways");
  scan.at = close + 1;
}

function takeBackticks(scan: Scan, quoted: boolean): void {
  const start = scan.at + 1;
  scan.at = start;
  takeUntil(scan, "`", "a backtick", () => {
    scan.at += scan.text[scan.at] === "\\" ? 2 : 1;
  });
  const inside = scan.text.slice(start, scan.at - 1);
  if (!inside.includes(HOLE)) return;
  if (quoted && /\\['"`\\]/.test(inside))
    throw unclear(scan, 'a backslash in backticks in quotes (write "$(…)")');
  const script = scanInside(scan, inside.replace(/\\([$`\\])/g, "$1"), start);
  script.commands(script, "");
  scan.edits.push({ type: "nested", start, end: scan.at - 1, script });
}
