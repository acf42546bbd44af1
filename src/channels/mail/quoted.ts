/** What a person wrote in a reply: without the mail they reply to, in the ways in which mail programs quote it. */

/** The first line of our mails. A program that quotes without any mark leaves it where our part begins. */
export const MARK = "Reply above this line with a number, and words if you like.";

/** Longer replies say nothing more. Every pattern sees one line, and no more than the beginning of it. */
const LONGEST = 50_000;
const LONGEST_LINE = 300;

export function ownWords(mail: string): string {
  const lines = mail.slice(0, LONGEST).replace(/\r\n?/g, "\n").replaceAll("\u00a0", " ").split("\n");
  const heads = lines.map((it) => it.slice(0, LONGEST_LINE));
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const head = heads[at] ?? "";
    if (isEnd(heads, at)) break;
    const attribution = attributionAt(heads, at);
    at += Math.max(0, attribution - 1);
    if (attribution === 0 && !QUOTED.test(head) && !FOOTER.test(head)) kept.push(lines[at] ?? "");
  }
  return kept.join("\n").trim();
}

const QUOTED = /^\s*>/;
const FOOTER = /^(?:sent from (?:my|mail|outlook|yahoo|proton)\b|get outlook for )/i;

/** From here on it is a signature, or the mail that was replied to. */
function isEnd(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (/^-- ?$/.test(line) || /^_{10,}\s*$/.test(line)) return true;
  if (/^\s*-{2,}\s*(?:original|forwarded) message\b/i.test(line)) return true;
  if (line.trim().startsWith(MARK.slice(0, 22))) return true;
  // Outlook, without a line above it
  const isHead = /^\*?from:\*?\s/i.test(line);
  return isHead && lines.slice(at + 1, at + 4).some((it) => /^\*?(?:sent|date|to):\*?\s/i.test(it));
}

const BEGINS = /^\s*(?:on|am|le|el|il|op|den)\s/i;
const WROTE = /(?:wrote|writes|écrit|escribió|scritto|schreef|skrev)\s?:\s*$/i;
const SCHRIEB = /\bschrieb\b.*:\s*$/i;

/**
 * How many lines say who wrote what follows: "On Mon, 16 Nov 2026, Oddjobs <oj@example.com> wrote:", which may be broken
 * into several.
 */
function attributionAt(lines: readonly string[], at: number): number {
  const ends = (line: string) => WROTE.test(line) || SCHRIEB.test(line);
  const first = lines[at] ?? "";
  if (/<[^<>@\s]+@[^<>\s]+>/.test(first) && ends(first)) return 1;
  if (!BEGINS.test(first)) return 0;
  for (let count = 1; count <= 4; count++) {
    const line = lines[at + count - 1] ?? "";
    if (ends(line)) return count;
    if (line.trim() === "" || QUOTED.test(line)) return 0;
  }
  return 0;
}
