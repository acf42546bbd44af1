/** The line of a screen that tells most about what is going on: the last one above the box that people type into. */

/** How far up from the end of the screen that box may begin. */
const BOX_LINES = 8;
const RULE = /^\s*[╭┌]?[─━]{8,}/;

export function lastLine(screen: string): string {
  const lines = screen.split("\n").map((it) => it.trim());
  while (lines.at(-1) === "") lines.pop();
  const box = lines.findIndex((it, at) => at >= lines.length - BOX_LINES && RULE.test(it));
  const above = (box > 0 ? lines.slice(0, box) : lines).filter((it) => it !== "" && !RULE.test(it));
  return above.at(-1) ?? "";
}
