/**
 * Fail-then-file: a request about a failure must offer an option to file it. Words are matched whole and in context, so
 * that "profile" files nothing and "no bugs found" is not a failure. A project changes this in its `requests` block.
 */

import type { FileWords } from "../model/runbook.ts";
import { EXCUSES, FAILED_PHRASES, FAILURE_WORDS, FILINGS, NOT_FILED, THROWN } from "../text/file-words.ts";

/** The word that says that something failed, or null if the prompt isn't about a failure. */
export function failureIn(prompt: string, words: FileWords = {}): string | null {
  const isOurs = words.failure === undefined;
  const isFailure = words.failure === undefined ? isOurFailure : matcher(words.failure);
  const thrown = isOurs ? THROWN.exec(prompt) : null;
  if (thrown) return thrown[1] ?? thrown[0];
  for (const clause of clausesOf(prompt)) {
    const phrase = isOurs ? phraseIn(clause.join(" ")) : null;
    if (phrase) return phrase;
    for (let at = 0; at < clause.length; at++) {
      const length = isFailure(clause, at);
      if (length > 0 && !isExcused(clause, at, length)) return clause.slice(at, at + length).join(" ");
    }
  }
  return null;
}

/** Whether choosing this option files the failure. The label or the description has to say so. */
export function isFileOption(
  option: { label: string; description: string | null },
  words: FileWords = {},
): boolean {
  const isFiling = words.file === undefined ? isFilingIn : filingWith(words.file);
  return [option.label, option.description ?? ""].some((text) => clausesOf(text).some(isFiling));
}

/** How many words before the one in question are read; none of the excuses reaches further. */
const LOOKED_BACK = 12;

function phraseIn(clause: string): string | null {
  for (const phrase of FAILED_PHRASES) {
    const found = phrase.exec(clause);
    if (!found) continue;
    const before = clause.slice(0, found.index).trimEnd().split(" ").slice(-LOOKED_BACK).join(" ");
    const after = clause.slice(found.index + found[0].length);
    if (!hasExcuse(found[0], before, after)) return found[0];
  }
  return null;
}

function isExcused(clause: readonly string[], at: number, length: number): boolean {
  const word = clause.slice(at, at + length).join(" ");
  const before = clause.slice(Math.max(0, at - LOOKED_BACK), at).join(" ");
  const after = clause
    .slice(at + length)
    .map((it) => ` ${it}`)
    .join("");
  return hasExcuse(word, before, after);
}

function hasExcuse(word: string, before: string, after: string): boolean {
  return EXCUSES.some(
    (it) =>
      (it.word === undefined || it.word.test(word)) &&
      (it.before === undefined || it.before.test(before)) &&
      (it.after === undefined || it.after.test(after)),
  );
}

function isFilingIn(clause: readonly string[]): boolean {
  const text = clause.join(" ");
  return FILINGS.some((it) => it.test(text)) && !NOT_FILED.test(text);
}

function filingWith(words: readonly string[]): (clause: readonly string[]) => boolean {
  const isWord = matcher(words);
  return (clause) => clause.some((_, at) => isWord(clause, at) > 0) && !NOT_FILED.test(clause.join(" "));
}

/** Returns how many words at that place in the clause match one of these words, which may be phrases. */
function matcher(words: readonly string[]): (clause: readonly string[], at: number) => number {
  const phrases = words.map((it) => it.toLowerCase().trim().split(/\s+/)).filter((it) => it[0] !== "");
  return (clause, at) =>
    phrases.find((phrase) => phrase.every((it, index) => clause[at + index] === it))?.length ?? 0;
}

const isOurFailure = matcher(FAILURE_WORDS);

/** A word with `.`, `/`, `_` or `-` in it is a name or a compound of its own: src/errors.ts, fail-fast, BUG-12. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._/\\-]*|[+&]/gu;

/** The words of each clause in lower case. One clause says nothing about the next: "No, it failed". */
function clausesOf(text: string): string[][] {
  return text
    .toLowerCase()
    .replace(/\b[a-z]+:\/\/\S+/g, " ")
    .split(/[,;:!?()[\]{}"“”\n—–]+|\.(?=\s|$)|\s-+\s/)
    .map((clause) =>
      [...clause.matchAll(WORD)].map(([word]) => word.replaceAll("’", "'").replace(/['._/\\-]+$/, "")),
    )
    .filter((clause) => clause.length > 0);
}
