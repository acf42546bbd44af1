/**
 * Texts as a terminal draws them, made comparable with the originals: wrapped, with marks beside them, and only in part
 * if they are huge.
 */

/** How many characters of a long text must at least be left on the screen. */
export const ENOUGH = 10;

/**
 * Only letters and digits, so that wrapping, boxes and marks make no difference. Some letters are drawn as nothing and
 * are left out.
 */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, "");
}

/** Like `letters`, but text of nothing but signs is compared as it is. */
export function squashed(text: string): string {
  return letters(text) || bare(text);
}

/** The text without what no terminal draws. */
function visible(text: string): string {
  return text.replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, "");
}

/**
 * What the client draws for a character that a person could not see, or that would reverse the direction of the text.
 */
export const REPLACED = "\ufffd";

/**
 * The text as the client draws it where it shows such characters at all: a sign for each, except for those that belong
 * to emoji and scripts.
 */
export function asDrawn(text: string): string {
  return text.replace(KEPT, "").replace(UNSEEN, REPLACED);
}

function hasUnseen(text: string): boolean {
  return asDrawn(text).includes(REPLACED);
}

const KEPT = /[\u200c-\u200f]|[\u180b-\u180f]|[\ufe00-\ufe0f]/g;
const UNSEEN = /(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|[\u2028\u2029\ufeff]/gu;

/** The text without blanks and the bar beside wrapped text. */
export function bare(text: string): string {
  return visible(text).replace(/[\s│]/g, "");
}

/** Keeps only the ends of a huge text: no screen has room for more, and the daemon has others to look after. */
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

/**
 * Whether these lines on a screen are this text, or its beginning or end if there is no room for all of it. Blanks
 * count, but not how many. At the end of a line there may be none, because it may have been wrapped within a word.
 */
export function isDrawn(part: "all" | "start" | "end", lines: readonly string[], wanted: string): boolean {
  const shown = lines.map((line) => visible(line).trim()).filter((line) => line !== "");
  if (part !== "all" && shown.join("").length < ENOUGH) return false;
  if (part === "all" && hasUnseen(wanted) && !lines.some(hasUnseen)) return false; // without them it is another call
  const pattern = shown.map((line) => line.split(/\s+/).map(quoted).join("\\s+")).join("\\s*");
  const [from, to] = [part === "end" ? "" : "^\\s*", part === "start" ? "" : "\\s*$"];
  return new RegExp(`${from}${pattern}${to}`).test(visible(wanted));
}

export function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
