/**
 * Whether a pattern fits a command line. An approval needs to be sure of every word. A denial takes what a word may
 * mean: an abbreviation, another name of the program, an order of its options that says the same.
 */
import type { Shape } from "./options.ts";
import { shapeOf as readShape } from "./options.ts";
import { wordFits, wordsFit } from "./pattern.ts";

/** Patterns and commands are compared many times. */
const shapes = new WeakMap<readonly string[], Shape | null>();

function shapeOf(words: readonly string[]): Shape | null {
  let shape = shapes.get(words);
  if (shape === undefined) {
    shape = readShape(words);
    shapes.set(words, shape);
  }
  return shape;
}

/** For approvals: the words are as the pattern says, or mean exactly the same. */
export function fitsExactly(pattern: readonly string[], words: readonly string[]): boolean {
  if (wordsFit(pattern, words)) return true;
  if (pattern[0] !== words[0]) return false;
  const [wanted, given] = [shapeOf(pattern), shapeOf(words)];
  if (!wanted?.isSure || !given?.isSure || !wordsFit(wanted.head, given.head)) return false;
  const isOpen = wanted.operands.includes("**");
  const isWanted = (option: string) => wanted.options.some((it) => wordFits(it, option));
  return (
    wordsFit(wanted.operands, given.operands) &&
    wanted.options.every((it) => given.options.some((option) => wordFits(it, option))) &&
    (isOpen || given.options.every(isWanted))
  );
}

/** For denials, and for what can't be undone: the words may mean what the pattern says. */
export function fitsLoosely(pattern: readonly string[], words: readonly string[]): boolean {
  const named = namedOf(words);
  const [start = ""] = pattern;
  if (start !== named[0] && start !== words[0] && !start.includes("*")) return false;
  if (wordsFit(pattern, named) || wordsFit(pattern, words)) return true;
  const [wanted, given] = [shapeOf(pattern), shapeOf(named)];
  if (!wanted || !given || !wordsFit(wanted.head, given.head)) return false;
  const isOpen = wanted.operands.includes("**");
  const options = withForce(given);
  const isWanted = (option: string) => wanted.options.some((it) => mayBe(it, option));
  return (
    wanted.options.every((it) => options.some((option) => mayBe(it, option))) &&
    (isOpen || given.options.every(isWanted)) &&
    wordsFit(wanted.operands, given.operands)
  );
}

const names = new WeakMap<readonly string[], readonly string[]>();

/** With the program's plain name: `/usr/bin/git` is git, and so is `GIT` where a disk has no case. */
function namedOf(words: readonly string[]): readonly string[] {
  let named = names.get(words);
  if (named === undefined) {
    named = [(words[0] ?? "").replace(/^.*\//s, "").toLowerCase(), ...words.slice(1)];
    names.set(words, named);
  }
  return named;
}

/** `git push origin +main` forces as much as `--force` does. */
function withForce({ head, options, operands }: Shape): string[] {
  const isForced = head.join(" ") === "git push" && operands.some((it) => it.startsWith("+"));
  return isForced ? [...options, "--force"] : options;
}

/** The option that is wanted, or an abbreviation of it. */
function mayBe(wanted: string, option: string): boolean {
  if (wordFits(wanted, option)) return true;
  const [name = "", ...value] = option.split("=");
  if (!wanted.includes("=") && wordFits(wanted, name)) return true;
  const isShort = name.startsWith("--") && name.length > 2 && wanted.startsWith(name);
  return isShort && (value.length === 0 || !wanted.includes("=") || wanted.endsWith(`=${value.join("=")}`));
}

/** What a pattern must find in `beginningsOf` a command if it fits it; null if it may fit any command. */
export function wantedBeginnings(pattern: readonly string[]): string[] | null {
  const heads = [pattern.slice(0, 2), shapeOf(pattern)?.head ?? []].filter((it) => it.length > 0);
  const fixed = heads.map((it) => it.slice(0, /\*/.test(it[1] ?? "*") ? 1 : 2).join(" "));
  return fixed.some((it) => it.includes("*")) ? null : [...new Set(fixed)];
}

/** The first word and the first two: as they are, by the program's plain name, and with its subcommand. */
export function beginningsOf(words: readonly string[]): string[] {
  const named = namedOf(words);
  const heads = [words, named, shapeOf(named)?.head ?? named];
  return heads.flatMap((it) => [it[0] ?? "", it.slice(0, 2).join(" ")]);
}
