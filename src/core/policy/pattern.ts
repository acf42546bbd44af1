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
  return pattern.join(" ").replaceAll("*", "").length;
}

function listFits<T>(
  pattern: readonly string[],
  items: readonly T[],
  fits: (pattern: string, item: T) => boolean,
): boolean {
  let open = new Set([0]);
  const widen = (places: Set<number>) => {
    for (const at of places) if (pattern[at] === "**") places.add(at + 1);
    return places;
  };
  open = widen(open);
  for (const item of items) {
    const next = new Set<number>();
    for (const at of open) {
      const one = pattern[at];
      if (one === undefined) continue;
      if (one === "**") next.add(at);
      else if (fits(one, item)) next.add(at + 1);
    }
    if (next.size === 0) return false;
    open = widen(next);
  }
  return open.has(pattern.length);
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
