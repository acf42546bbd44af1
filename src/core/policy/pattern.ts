/** Patterns over words, texts and paths. A pattern is compared in time proportional to both lengths, whatever is in it. */

/** `*` is any characters, of a word or of a whole text. */
export function wordFits(pattern: string, text: string): boolean {
  return wild(pattern, text, (char) => char === "*");
}

/** `*` stays within a name; `**` is any depth, none included. */
export function pathFits(pattern: string, path: string): boolean {
  const names = (text: string) => text.split("/").filter((it) => it !== "" && it !== ".");
  return listFits(names(pattern), names(path), wordFits);
}

const alternatives = new WeakMap<readonly string[], readonly (readonly string[])[]>();

/** The words of each alternative: a list has several, and so has a string with ` | ` in it. */
export function alternativesOf(patterns: readonly string[]): readonly (readonly string[])[] {
  let read = alternatives.get(patterns);
  if (read === undefined) {
    read = patterns
      .flatMap((it) => it.split(/\s+\|\s+/))
      .map(wordsOf)
      .filter((it) => it.length > 0);
    alternatives.set(patterns, read);
  }
  return read;
}

export function wordsOf(pattern: string): string[] {
  return pattern.split(/\s+/).filter((it) => it !== "");
}

/** `**` as a word is any number of words, none included. */
export function wordsFit(pattern: readonly string[], words: readonly string[]): boolean {
  return listFits(pattern, words, wordFits);
}

/** How much of it is fixed: of two that fit, the one that says more is named on the record. */
export function weightOf(pattern: readonly string[]): number {
  let weight = weights.get(pattern);
  if (weight === undefined) {
    weight = fixedIn(pattern.join(" "));
    weights.set(pattern, weight);
  }
  return weight;
}

const weights = new WeakMap<readonly string[], number>();

/** The same for one word, or one path. */
export function fixedIn(pattern: string): number {
  let fixed = 0;
  for (let at = 0; at < pattern.length; at++) if (pattern[at] !== "*") fixed++;
  return fixed;
}

/** As `wild` below, for a list: `**` is the place to go back to. */
function listFits<T>(
  pattern: readonly string[],
  items: readonly T[],
  fits: (pattern: string, item: T) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  for (let place = 0; place < items.length; ) {
    const one = pattern[at];
    if (one === "**") {
      star = at++;
      from = place;
    } else if (one !== undefined && fits(one, items[place] as T)) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++from;
    } else return false;
  }
  while (pattern[at] === "**") at++;
  return at === pattern.length;
}

/** The usual walk with one place to go back to: never more than the product of both lengths. */
function wild(pattern: string, text: string, isWild: (char: string) => boolean): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  for (let place = 0; place < text.length; ) {
    const char = pattern[at];
    if (char !== undefined && isWild(char)) {
      star = at++;
      from = place;
    } else if (char !== undefined && char === text[place]) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++from;
    } else return false;
  }
  while (at < pattern.length && isWild(pattern[at] ?? "")) at++;
  return at === pattern.length;
}
