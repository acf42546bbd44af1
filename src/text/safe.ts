/**
 * Makes text from outside safe to show: whatever a terminal would obey, hide or reorder becomes visible instead.
 * Nothing is dropped silently, so what a person reads is what is there.
 */

/**
 * Characters that need no second look, each a column or two of its own: ASCII, Latin, Greek, Cyrillic, punctuation,
 * symbols, kana, Han, Hangul. As ranges, because the properties below take milliseconds to compile.
 */
export const SIMPLE =
  "\\x20-\\x7e\\xa1-\\xac\\xae-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20bf\\u2190-\\u27bf" +
  "\\u3000-\\u3029\\u3041-\\u3096\\u309b-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60";

const ASCII = /^[\n\t\x20-\x7e]*$/;
const HARMLESS = new RegExp(`^[\\n\\t${SIMPLE}]*$`);

function isHarmless(text: string): boolean {
  return ASCII.test(text) || HARMLESS.test(text);
}

/**
 * Controls (C0, DEL, C1), formats (bidi, zero-width, tags, soft hyphen, annotations), lone surrogates, line and
 * paragraph separators, everything Unicode lets a font leave out (fillers, variation selectors, invisible operators),
 * non-characters, and the braille blank, which only looks like a space.
 */
const HOSTILE =
  "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800";

/** No language puts more marks than this on one letter; beyond it, they climb over the lines above and below. */
const MOST_MARKS = 6;

/** Makes text of several lines safe: line breaks and tabs stay. */
export function safe(text: string): string {
  return isHarmless(text) ? text : reveal(text.replaceAll("\r\n", "\n"), true);
}

/** Makes text safe for one line: a line break shows as ⏎, a tab as ␉. */
export function safeLine(text: string): string {
  if (isHarmless(text) && !/[\n\t]/.test(text)) return text;
  return reveal(text.replaceAll("\r\n", "\n"), false).replaceAll("\n", "⏎");
}

/** JSON text with the same value and nothing hostile in it: JSON can write any character as an escape. */
export function safeJson(json: string): string {
  if (isHarmless(json)) return json;
  return json.replace(new RegExp(`[${HOSTILE}]`, "gu"), (found) =>
    found === "\n" ? found : escapeUnits(found),
  );
}

function reveal(text: string, hasLines: boolean): string {
  const shown = text.replace(new RegExp(`[${HOSTILE}]`, "gu"), (found, at: number) => {
    if (found === "\n" || (found === "\t" && hasLines)) return found;
    return mayStay(text, at, found) ? found : picture(found);
  });
  return tameMarks(shown);
}

/** Two invisible characters may stay, as parts of emoji: the joiner between two of them, and the selector after one. */
function mayStay(text: string, at: number, found: string): boolean {
  const before = text.slice(Math.max(0, at - 5), at);
  if (found === "\u200d") {
    const isAfter = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?$/u.test(before);
    return isAfter && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3));
  }
  // not /[…]$/u: in Node 26 (V8 14.6) that finds nothing above U+FFFF
  return (found === "\ufe0f" || found === "\ufe0e") && /(?:\p{Extended_Pictographic}|[\d#*])$/u.test(before);
}

/** `␛` for ESC, `\u{202e}` for a character without a picture. */
function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `\\u{${code.toString(16)}}`;
}

function tameMarks(text: string): string {
  const long = new RegExp(`(\\p{M}{${MOST_MARKS}})(\\p{M}+)`, "gu");
  const loose = /(^|[\n\t ])(?=\p{M})/gu; // such a mark would sit on whatever we print before it
  return text
    .replace(loose, "$1◌")
    .replace(long, (_, kept: string, rest: string) => `${kept}⟨${[...rest].length} more marks⟩`);
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }).join("");
}
