/** Text in a terminal: how wide it is, how it is wrapped and coloured. */

export const style = {
  dim: (text: string) => `\u001b[2m${text}\u001b[22m`,
  bold: (text: string) => `\u001b[1m${text}\u001b[22m`,
  blue: (text: string) => `\u001b[34m${text}\u001b[39m`,
  red: (text: string) => `\u001b[31m${text}\u001b[39m`,
};

/** Wraps at blanks, and by force if a word is longer than the line. Every line begins with the indent; the first with `first` instead. */
export function wrap(text: string, width: number, first = "", indent = " ".repeat(widthOf(first))): string[] {
  const room = Math.max(width - widthOf(indent), 8);
  const lines = text.split("\n").flatMap((line) => wrapLine(line, room));
  return lines.map((line, n) => (n === 0 ? first : indent) + line);
}

function wrapLine(line: string, room: number): string[] {
  const lines: string[] = [];
  let rest = printable(line);
  while (widthOf(rest) > room) {
    const head = cut(rest, room);
    const blank = rest[head.length] === " " ? head.length : head.lastIndexOf(" ");
    const at = blank > room / 3 ? blank : head.length;
    lines.push(rest.slice(0, at));
    rest = rest.slice(rest[at] === " " ? at + 1 : at);
  }
  return [...lines, rest];
}

/** As much of the text as fits. */
export function cut(text: string, width: number): string {
  let fits = "";
  let used = 0;
  for (const char of text) {
    used += charWidth(char);
    if (used > width) break;
    fits += char;
  }
  return fits;
}

export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** Control characters in what is shown do nothing here: only the `escape` step sends any. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/\t/g, "  ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "");
}

function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (/\p{Mark}/u.test(char) || code === 0x200d) return 0;
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return isWide ? 2 : 1;
}
