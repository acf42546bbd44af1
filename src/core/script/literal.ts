/** What a word of a script is once bash has removed its quotes. */
import { HOLE } from "./hole.ts";

/** Null if the word is not constant: it has an expansion, braces, a pattern, or escapes that we don't read. */
export function literalOf(text: string): string | null {
  if (/^(?:\[\[?|\]\]?|[{}!])$/.test(text)) return text;
  const part =
    /'([^']*)'|\$?"((?:[^"\\$`]|\\[\s\S])*)"|\$'([^'\\]*)'|\\([\s\S])|([^'"\\$`{}*?[\]()<>]+)|([{}\]])/y;
  let literal = "";
  let braces = 0;
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at;
    const found = part.exec(text);
    if (!found) return null;
    const [, single, double, ansi, escaped, open, brace] = found;
    if (brace !== undefined) braces++;
    literal +=
      single ??
      double?.replace(/\\(?:([$`"\\])|\n)/g, "$1") ??
      ansi ??
      (escaped === "\n" ? "" : escaped) ??
      open ??
      brace ??
      "";
  }
  if (literal.includes(HOLE)) return null;
  return braces > 0 && !/^(?:\{\}|@\{u\})$/.test(text) ? null : literal;
}

/** The same with `_` for each expansion: the text that is run, as far as it can be seen. Null if it can't. */
export function skeletonOf(word: { text: string; start: number; spans: [number, number][] }): string | null {
  let text = "";
  let at = word.start;
  for (const [start, end] of [...word.spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (start < at) continue;
    text += `${word.text.slice(at - word.start, start - word.start)}_`;
    at = end;
  }
  return literalOf(text + word.text.slice(at - word.start));
}
