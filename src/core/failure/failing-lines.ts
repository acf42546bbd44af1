/**
 * Finds in what a check printed the lines that say what failed, whichever program printed them: the first ones that do,
 * with a few lines around them, and the end. Works on a stream, because what matters may be long gone at its end.
 */
import { isFailure, isReason } from "./failure-marks.ts";

const BEFORE = 3;
const AFTER = 9;
/** Lines of failures to keep besides the end. */
const MOST = 30;
const TAIL = 12;
const LONGEST = 400;

export interface FailureFinder {
  add(text: string): void;
  /** What is worth reading of all that was added, in order, with marks where lines were left out. */
  text(): string;
  /** The first line that says what failed; empty if none does. */
  reason(): string;
}

interface Line {
  at: number;
  text: string;
}

export function failureFinder(): FailureFinder {
  /** Lines with a reason beat lines that only say that something failed, such as a list of tests. */
  const reasons = regions(isReason);
  const failures = regions(isFailure);
  let tail: Line[] = [];
  let rest = "";
  let count = 0;

  function take(raw: string): void {
    const line = { at: count++, text: shown(raw) };
    reasons.take(line);
    failures.take(line);
    tail.push(line);
    if (tail.length > 2 * TAIL) tail = tail.slice(-TAIL);
  }

  function add(text: string): void {
    const lines = `${rest}${text}`.split("\n");
    rest = (lines.pop() ?? "").slice(0, 4 * LONGEST); // a line without an end must not fill the memory
    for (const it of lines) take(it);
  }

  function finish(): Line[] {
    if (rest.trim() !== "") take(rest);
    rest = "";
    return reasons.lines.length > 0 ? reasons.lines : failures.lines;
  }

  return {
    add,
    text() {
      const lines = [...new Map([...finish(), ...tail.slice(-TAIL)].map((it) => [it.at, it])).values()];
      return withMarks(trimmed(lines.sort((a, b) => a.at - b.at)));
    },
    reason: () => {
      finish();
      return (reasons.first ?? failures.first)?.trim() ?? "";
    },
  };
}

export function failingLines(output: string): { text: string; reason: string } {
  const finder = failureFinder();
  finder.add(output);
  return { text: finder.text(), reason: finder.reason() };
}

/** Collects lines around those that match, until there are enough. */
function regions(matches: (line: string) => boolean) {
  const lines: Line[] = [];
  let before: Line[] = [];
  let until = -1;
  const found = {
    lines,
    first: null as string | null,
    take(line: Line): void {
      if (lines.length >= MOST) return;
      if (matches(line.text)) {
        found.first ??= line.text;
        lines.push(...before);
        before = [];
        until = line.at + AFTER;
      }
      if (line.at <= until) lines.push(line);
      else before = [...before, line].slice(-BEFORE);
    },
  };
  return found;
}

const ESCAPE = "\u001b";
/** Colours, titles and other commands to a terminal. */
const COMMANDS = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\u0007${ESCAPE}]*(?:\u0007|${ESCAPE}\\\\)?|[@-Z\\\\^_])`,
  "g",
);

/** Colours and progress that draws over itself are for terminals. */
function shown(raw: string): string {
  const plain = raw.replace(COMMANDS, "");
  const last = plain.replace(/\r+$/, "").split("\r").at(-1) ?? "";
  const text = last.trimEnd();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function trimmed(lines: readonly Line[]): Line[] {
  const isBlank = (it: Line) => it.text.trim() === "";
  const begin = lines.findIndex((it) => !isBlank(it));
  const end = lines.findLastIndex((it) => !isBlank(it));
  return begin === -1 ? [] : lines.slice(begin, end + 1);
}

function withMarks(lines: readonly Line[]): string {
  let next = 0;
  return lines
    .flatMap(({ at, text }) => {
      const left = at - next;
      next = at + 1;
      return left > 0 ? [`… ${left} ${left === 1 ? "line" : "lines"} left out`, text] : [text];
    })
    .join("\n");
}
