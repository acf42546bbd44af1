/** Texts as a terminal draws them, compared with what they were: wrapped, with marks beside them, of something huge only a part. */

/** What is left of something long must at least be this much of it. */
export const ENOUGH = 10;

/** Letters and digits alone: wrapping, boxes and marks make no difference. */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Words of nothing but signs are compared as they are. */
export function squashed(text: string): string {
  return letters(text) || bare(text);
}

/** Without what no terminal draws. */
export function visible(text: string): string {
  return text.replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, "");
}

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
