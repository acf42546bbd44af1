/**
 * What somebody typed after `ssh host`, as words. No shell ever sees it: quotes and backslashes group as a shell's would,
 * and everything else that a shell would act on is refused, so that nothing can mean one thing there and another here.
 */
import { usage } from "../base/fail.ts";

/** Outside of quotes. */
const SYNTAX = /[;&|<>()$`]/;
/** Between double quotes a shell still acts on these. */
const IN_DOUBLE = /[$`]/;
const MOST_CHARS = 256 * 1024;

export function wordsOf(text: string): string[] {
  if (text.length > MOST_CHARS) throw refused("it is too long");
  const control = /(?!\t)\p{Cc}/u.exec(text);
  if (control) throw refused("it has control characters; a text of several lines comes by stdin (-)");
  const words: string[] = [];
  let word: string | null = null;
  let quote: "'" | '"' | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (quote === "'") {
      if (char === "'") quote = null;
      else word = `${word ?? ""}${char}`;
    } else if (char === "\\") {
      const next = text[at + 1];
      if (next === undefined) throw refused("it ends with a backslash");
      const isKept = quote === '"' && !/["\\$`]/.test(next);
      word = `${word ?? ""}${isKept ? char : ""}${next}`;
      at += 1;
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else if (IN_DOUBLE.test(char)) throw syntax(char);
      else word = `${word ?? ""}${char}`;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === " " || char === "\t") {
      if (word !== null) words.push(word);
      word = null;
    } else if (SYNTAX.test(char)) throw syntax(char);
    else word = `${word ?? ""}${char}`;
  }
  if (quote !== null) throw refused(`a ${quote} is not closed`);
  return word === null ? words : [...words, word];
}

function syntax(char: string): Error {
  return usage(
    `no shell reads this, so ${char} has no meaning here`,
    `put what belongs together in quotes, twice: ssh HOST 'oj decision resolve ID 1 -m "a; b"'`,
  );
}

function refused(why: string): Error {
  return usage(`this can't be read: ${why}`, "ssh HOST oj decision list");
}
