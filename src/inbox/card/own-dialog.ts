/**
 * An agent's own dialog on its screen. Its numbers are not ours: beside our options they would only mislead, and what
 * it asks about is on the card already.
 */

/** A row that a pointer is on: `› 1. Yes`. Programs draw it in several shapes. */
const POINTED = /^[\s│|]*[>›»→➤▶\u276f]\s*\d+[.)]\s/;
const ROW = /^[\s│|]*[>›»→➤▶\u276f]?\s*\d+[.)]\s/;
/** A rule across the screen, or the upper edge of a box: the dialog begins there. */
const TOP = /^\s*[╭┌]?[─━▔]{8,}/;
const FOOTER =
  /\bEsc to (cancel|exit)\b|\bEnter to (confirm|select)\b|\bTab to amend\b|^\s*ctrl\+g to edit\b/i;

/** The screen above the dialog: from the top of the dialog on, nothing is kept. */
export function withoutDialog(screen: string): string {
  const lines = screen.split("\n");
  const pointed = rowOf(lines);
  if (pointed < 0) return screen;
  const top = lines.findLastIndex((it, at) => at < firstRow(lines, pointed) && TOP.test(it));
  // a plan has a rule above its rows and another above itself
  const isPlan = /would you like to proceed/i.test(lines.slice(top + 1, pointed).join("\n"));
  const above = isPlan ? lines.findLastIndex((it, at) => at < top && TOP.test(it)) : top;
  const from = above >= 0 ? above : top >= 0 ? top : firstRow(lines, pointed);
  return lines.slice(0, from).join("\n").trimEnd();
}

/** The screen without the rows to choose from and what follows them: what the dialog asks about stays. */
export function withoutRows(screen: string): string {
  const lines = screen.split("\n");
  const pointed = rowOf(lines);
  if (pointed < 0) return screen;
  const first = firstRow(lines, pointed);
  let last = pointed;
  for (let at = pointed; at < lines.length; at++)
    if (ROW.test(lines[at] ?? "") || FOOTER.test(lines[at] ?? "")) last = at;
  return [...lines.slice(0, first), ...lines.slice(last + 1)].join("\n").trimEnd();
}

/** The screen without the empty field to write in that ends it, and the hints below that. */
export function withoutComposer(screen: string): string {
  const lines = screen.trimEnd().split("\n");
  const field = lines.findLastIndex((it) => /^[\s│|]*[>›\u276f]\s*[│|]?\s*$/.test(it));
  const isField = TOP.test(lines[field - 1] ?? "") && /^\s*[╰└]?[─━▔]{8,}/.test(lines[field + 1] ?? "");
  const isLast = lines.length - field <= MOST_HINTS;
  return field > 0 && isField && isLast
    ? lines
        .slice(0, field - 1)
        .join("\n")
        .trimEnd()
    : screen;
}

/** The field, its lower edge, and so many lines of hints. */
const MOST_HINTS = 5;

/** The row that the pointer is on; else, above the line that says which keys to press, the last row with a number. */
function rowOf(lines: readonly string[]): number {
  const pointed = lines.findLastIndex((it) => POINTED.test(it));
  if (pointed >= 0) return pointed;
  const footer = lines.findLastIndex((it) => FOOTER.test(it));
  const above = lines.findLastIndex((it, at) => at < footer && it.trim() !== "" && !TOP.test(it));
  const isDialog = footer >= 0 && ROW.test(lines[above] ?? "");
  return isDialog ? numbered(lines, above) : -1;
}

/** From the last row up over a rule to the rows before it. */
function numbered(lines: readonly string[], last: number): number {
  return TOP.test(lines[last - 1] ?? "") ? lines.findLastIndex((it, at) => at < last && ROW.test(it)) : last;
}

/** The rows above the pointer belong to it; their descriptions and wrapped labels are between them. */
function firstRow(lines: readonly string[], pointed: number): number {
  let first = pointed;
  for (let at = pointed - 1; at >= 0; at--) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || TOP.test(line)) break;
    if (ROW.test(line)) first = at;
  }
  return first;
}
