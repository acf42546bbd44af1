/** A walk through a bash script that looks for holes, and what it finds. How bash reads the text is in shell-lexer.ts and shell-grammar.ts. */
import { Refusal } from "./errors.ts";

/** Stands in a script where a value will be expanded. No script can hold a real NUL. */
export const HOLE = "\0";

/** What stands around a hole: open text that may become several words, or one only; quotes of some kind; a comment. */
export type Place = "words" | "word" | "double" | "single" | "ansi" | "comment";

/** What bash makes of the value besides taking it as text; shell-text.ts says which values may stand there. */
export type Need = "integer" | "operand" | "name" | "script" | "scalar" | "format";

export interface Hole {
  type: "hole";
  start: number;
  end: number;
  place: Place;
  need?: Need | undefined;
}

/** Other text of the script that has to change for a hole's sake. */
interface Patch {
  type: "patch";
  start: number;
  end: number;
  text: string;
}

/** The inside of backticks: a script of its own, one level of backslashes taken off. */
interface Nested {
  type: "nested";
  start: number;
  end: number;
  script: Lexed;
}

export type Edit = Hole | Patch | Nested;

/** A script and where it is to be changed. */
export interface Lexed {
  text: string;
  edits: Edit[];
}

export interface Heredoc {
  /** Where its delimiter stands, as written. */
  start: number;
  end: number;
  delimiter: string;
  quoted: boolean;
  dash: boolean;
}

export interface Scan extends Lexed {
  at: number;
  /** The line on which `text` begins, for messages. */
  line: number;
  depth: number;
  /** Holes of the word being read; those in a substitution belong to the words in there. */
  holes: Hole[];
  /** What holes need where we are. */
  need: Need | undefined;
  /** Here-documents whose bodies begin after this line. */
  heredocs: Heredoc[];
  /** An outer line waits for its here-documents: versions of bash disagree on what a newline in here then means. */
  awaited: boolean;
  /** Where a `((` turned out to be two subshells. */
  subshells: Set<number>;
  /** Shell variables that bash evaluates somewhere, and those that are set from holes. */
  uses: Map<string, Need>;
  assigned: { name: string; holes: Hole[] }[];
  /** Given by the grammar, as substitutions hold commands and commands hold substitutions. */
  commands: (scan: Scan, end: "" | ")") => void;
}

const DEEPEST = 100;

export function startScan(text: string, commands: Scan["commands"]): Scan {
  return {
    text,
    commands,
    at: 0,
    line: 1,
    depth: 0,
    edits: [],
    holes: [],
    need: undefined,
    heredocs: [],
    awaited: false,
    subshells: new Set(),
    uses: new Map(),
    assigned: [],
  };
}

/** A scan of text that was cut out of another at `start`, sharing what is known about variables. */
export function scanInside(scan: Scan, text: string, start: number): Scan {
  const { uses, assigned } = scan;
  return {
    ...startScan(text, scan.commands),
    uses,
    assigned,
    line: lineAt(scan, start),
    depth: scan.depth + 1,
  };
}

/** Guards the stack: nobody nests this deep by hand. */
export function goDeeper(scan: Scan): void {
  scan.depth++;
  if (scan.depth > DEEPEST) throw unclear(scan, "too many constructs inside each other");
}

export function takeHole(scan: Scan, place: Place): void {
  const hole: Hole = { type: "hole", start: scan.at, end: scan.at + 1, place, need: scan.need };
  scan.edits.push(hole);
  scan.holes.push(hole);
  scan.at++;
}

/** Takes what the sticky `pattern` matches here, if anything. */
export function takeMatch(scan: Scan, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = scan.at;
  const match = pattern.exec(scan.text);
  if (match) scan.at = pattern.lastIndex;
  return match;
}

/** Runs `take` until `close` has been passed. */
export function takeUntil(scan: Scan, close: string, what: string, take: () => void): void {
  while (scan.text[scan.at] !== close) {
    if (scan.at >= scan.text.length) throw unclear(scan, `${what} without its end`);
    take();
  }
  scan.at++;
}

export function markHoles(holes: Hole[], need: Need): void {
  for (const hole of holes) hole.need ??= need;
}

export function markUse(scan: Scan, name: string, need: Need): void {
  if (scan.uses.get(name) !== "integer") scan.uses.set(name, need);
}

/** We refuse rather than guess how bash reads a script. */
export function unclear(scan: Scan, what: string): Refusal {
  const message = `Can't place values safely in this script: line ${lineAt(scan, scan.at)} has ${what}.`;
  return new Refusal(
    "value.invalid",
    message,
    `set a variable on a line before, name=\${var.name}, and use "$name" there`,
  );
}

function lineAt(scan: Scan, at: number): number {
  return scan.line + scan.text.slice(0, at).split("\n").length - 1;
}
