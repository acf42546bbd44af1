/** Texts as a terminal draws them, compared with what they were: wrapped, with marks beside them, of something huge only a part. */

/** What is left of something long must at least be this much of it. */
export const ENOUGH = 10;

/** Letters and digits alone: wrapping, boxes and marks make no difference. Some letters are drawn as nothing. */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, "");
}

/** Words of nothing but signs are compared as they are. */
export function squashed(text: string): string {
  return letters(text) || bare(text);
}

/** Without what no terminal draws. */
export function visible(text: string): string {
  return text.replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, "");
}

/** What the client draws for a character that a person could not see, or that would turn the text around. */
export const REPLACED = "\ufffd";

/** As the client draws it where it shows such characters at all: a sign for each, but for those that belong to emoji and scripts. */
export function asDrawn(text: string): string {
  return text.replace(KEPT, "").replace(UNSEEN, REPLACED);
}

export function hasUnseen(text: string): boolean {
  return asDrawn(text).includes(REPLACED);
}

const KEPT = /[\u200c-\u200f]|[\u180b-\u180f]|[\ufe00-\ufe0f]/g;
const UNSEEN = /(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|[\u2028\u2029\ufeff]/gu;

/** All but blanks and the line beside wrapped text. */
export function bare(text: string): string {
  return visible(text).replace(/[\s│]/g, "");
}

/** No screen has room for more than the ends of something huge, and the daemon has others to look after. */
export function cut(text: string): string {
  return text.length <= 2 * MOST ? text : `${text.slice(0, MOST)}\n${text.slice(-MOST)}`;
}

const MOST = 50_000;

export function textIn(input: unknown, name: string): string {
  return cut(fieldOf(input, name));
}

export function fieldOf(input: unknown, name: string): string {
  const value =
    typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}
