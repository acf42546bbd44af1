/** The text of a reply that has only HTML: its lines, with what it quotes left out. Nothing in it is ever run or loaded. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Tags after which a new line begins. */
const BREAKS = /^(?:br|p|div|li|tr|h[1-6]|blockquote|pre|hr|table|ul|ol)$/;
/** What they hold is not what somebody wrote. */
const SILENT = /^(?:script|style|head|title|template|blockquote)$/;

/** Goes through it once, from tag to tag. */
export function htmlText(html: string): string {
  let text = "";
  let silent: { name: string; depth: number } | null = null;
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    if (silent === null) text += decoded(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) break;
    const close = html.startsWith("<!--", open) ? html.indexOf("-->", open) + 2 : html.indexOf(">", open);
    if (close < open) break;
    const [, slash = "", name = ""] = /^<(\/?)([a-z0-9]*)/i.exec(html.slice(open, open + 20)) ?? [];
    const tag = name.toLowerCase();
    if (
      silent === null &&
      slash === "" &&
      (SILENT.test(tag) || isQuote(html.slice(open, Math.min(close, open + 500))))
    )
      silent = { name: tag, depth: 1 };
    else if (silent?.name === tag) {
      silent.depth += slash === "" ? 1 : -1;
      if (silent.depth === 0) silent = null;
    }
    if (silent === null && BREAKS.test(tag) && !text.endsWith("\n\n")) text += "\n";
    at = close + 1;
  }
  return text
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Gmail puts what it quotes into a box with this name. */
function isQuote(tag: string): boolean {
  return /^<div\b[^>]*\bclass="?[^">]*\bgmail_quote\b/i.test(tag);
}

function decoded(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (all, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "";
    });
}
