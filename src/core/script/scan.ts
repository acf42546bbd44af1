/**
 * A walk through a bash script that looks for holes, and what it finds. How bash reads the text is in
 * core/script/lexer.ts and core/script/grammar.ts.
 */
import { Refusal } from "../model/errors.ts";
import type { Flow, Flows, Word } from "./flow.ts";
import { emptyFlow, startFlows } from "./flow.ts";
import type { Hole, Need, Place } from "./hole.ts";

/** Other text of the script that has to change because of a hole. */
interface Patch {
  type: "patch";
  start: number;
  end: number;
  text: string;
}

/** The inside of backticks: a script of its own, with one level of backslashes removed. */
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

/** The function whose body is being read. With `isMoved`, `$1` may no longer be its first argument. */
export interface Body {
  name: string;
  isMoved: boolean;
}

export interface Heredoc {
  /** The input of the command that it belongs to. */
  input: Flow;
  /** The bodies in which nothing is expanded, for commands that run them. */
  bodies: string[];
  documents: string[];
  /** Where its delimiter is, as written. */
  start: number;
  end: number;
  delimiter: string;
  quoted: boolean;
  dash: boolean;
}

export interface Scan extends Lexed {
  at: number;
  /** Where `text` begins in the script; minus infinity if another shell runs it. */
  base: number;
  /** The line on which `text` begins, for messages. */
  line: number;
  depth: number;
  /** Holes of the word being read; those in a substitution belong to the words inside that. */
  holes: Hole[];
  /** What a hole needs at this point. */
  need: Need | undefined;
  /** Here-documents whose bodies begin after this line. */
  heredocs: Heredoc[];
  /** An outer line waits for its here-documents: versions of bash disagree on what a newline then means in here. */
  awaited: boolean;
  /** Where a `((` turned out to be two subshells. */
  subshells: Set<number>;
  /** Where values get to, in the whole script. */
  flows: Flows;
  /** What the word being read is made of, with the output of its substitutions. */
  flow: Flow;
  /** Whether the word being read has something unquoted that may become several words, or none. */
  splits: boolean;
  /** Where its expansions are. */
  spans: [start: number, end: number][];
  /** The words of the array in it. */
  elements: Word[] | null;
  /** What the command being read gets as its input. */
  input: Flow;
  bodies: string[];
  documents: string[];
  /** What the list of commands being read prints, and all that its commands are made of. */
  level: { output: Flow; all: Flow };
  body: Body | null;
  /** Provided by the grammar, because substitutions contain commands and commands contain substitutions. */
  commands: (scan: Scan, end: "" | ")") => void;
}

const DEEPEST = 100;

export function startScan(text: string, commands: Scan["commands"]): Scan {
  return {
    text,
    commands,
    at: 0,
    base: 0,
    line: 1,
    depth: 0,
    edits: [],
    holes: [],
    need: undefined,
    heredocs: [],
    awaited: false,
    subshells: new Set(),
    flows: startFlows(),
    flow: emptyFlow(),
    splits: false,
    spans: [],
    elements: null,
    input: emptyFlow(),
    bodies: [],
    documents: [],
    level: { output: emptyFlow(), all: emptyFlow() },
    body: null,
  };
}

/** A scan of text that was cut out of another at `start`, sharing what is known about the script. */
export function scanInside(scan: Scan, text: string, start: number): Scan {
  const { flows, body } = scan;
  return {
    ...startScan(text, scan.commands),
    flows,
    body,
    base: scan.base + start,
    line: lineAt(scan, start),
    depth: scan.depth + 1,
  };
}

/** Guards the stack: nobody nests this deep by hand. */
export function goDeeper(scan: Scan): void {
  scan.depth++;
  if (scan.depth > DEEPEST) throw unclear(scan, "too many nested constructs");
}

export function takeHole(scan: Scan, place: Place): void {
  const needs = new Set(scan.need === undefined ? [] : [scan.need]);
  const hole: Hole = { type: "hole", start: scan.at, end: scan.at + 1, place, needs };
  scan.edits.push(hole);
  scan.holes.push(hole);
  if (place !== "comment") scan.flow.holes.add(hole);
  scan.spans.push([scan.at, scan.at + 1]);
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
    if (scan.at >= scan.text.length) throw unclear(scan, `${what} that is not closed`);
    take();
  }
  scan.at++;
}

/** `$name`: its value becomes part of the word being read. */
export function expandName(scan: Scan, name: string): void {
  const { flow, body } = scan;
  if (name === "@") scan.splits = true; // in quotes too
  if (/^[A-Za-z_]/.test(name)) flow.names.add(name);
  else if (name === "@" || name === "*") flow.names.add(argumentsOf(body)).add(ARGUMENTS);
  else if (/^[1-9]/.test(name))
    flow.names
      .add(
        !body || body.isMoved || Number(name) >= MOST_PLACES
          ? argumentsOf(body)
          : argumentOf(body.name, Number(name)),
      )
      .add(ARGUMENTS);
}

/** Arguments after this one are not told apart. */
export const MOST_PLACES = 20;

/** The arguments that `set --`, a sourced file or `bash -c` sets. */
export const ARGUMENTS = "@";

export function argumentsOf(body: { name: string } | null): string {
  return body === null ? ARGUMENTS : `@${body.name}`;
}

export function argumentOf(name: string, place: number): string {
  return `@${name} ${place}`;
}

export function markHoles(holes: Iterable<Hole>, need: Need): void {
  for (const hole of holes) hole.needs.add(need);
}

/** A list of several items becomes one word here. */
export function keepTogether(holes: Iterable<Hole>): void {
  for (const hole of holes) if (hole.place === "words") hole.place = "word";
}

/** The script is more than a list of simple commands. */
export function noteCompound({ flows }: Scan): void {
  if (flows.seen) flows.seen.isCompound = true;
}

/** We refuse rather than guess how bash reads a script. */
export function unclear(scan: Scan, what: string): Refusal {
  const message = `Can't place values safely in this script: line ${lineAt(scan, scan.at)} has ${what}.`;
  return new Refusal(
    "value.invalid",
    message,
    `set a variable on a line before, name=\${var.name}, and use "$name" there`,
    { line: lineAt(scan, scan.at) },
  );
}

function lineAt(scan: Scan, at: number): number {
  return scan.line + scan.text.slice(0, at).split("\n").length - 1;
}
