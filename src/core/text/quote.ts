/**
 * Other people's words within our text: each of their lines begins
 * with a mark that none of ours has, so nobody can pass for us.
 */

const MARK = ">";

/** `label:` with the marked text below it, or nothing if there is no text. */
export function quoted(label: string, text: string): string {
  const lines = text
    .trimEnd()
    .replace(/\r\n?/g, "\n")
    .replace(/^\s*\n/, "")
    .split("\n");
  if (lines.every((it) => it.trim() === "")) return "";
  return `${label}:\n${lines.map((it) => `${MARK} ${it}`.trimEnd()).join("\n")}`;
}

/** The text in pieces, alternately ours and quoted, without the marks. */
export function pieces(text: string): { quoted: boolean; text: string }[] {
  const found: { quoted: boolean; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const isQuoted = line.startsWith(MARK);
    const last = found.at(-1);
    const own = isQuoted ? line.slice(MARK.length).replace(/^ /, "") : line;
    if (last?.quoted === isQuoted) last.lines.push(own);
    else found.push({ quoted: isQuoted, lines: [own] });
  }
  return found.map(({ quoted, lines }) => ({ quoted, text: lines.join("\n").replace(/^\n+|\s+$/g, "") }));
}
