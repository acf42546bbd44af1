/** What a person can see of a page: read from what is drawn, not from what the page believes. */
import type { Page } from "playwright-core";

/** Marks in the text of a decision, one for each line: "mark-17". */
export function marked(count: number, line = (mark: string) => mark): { text: string; marks: string[] } {
  const marks = Array.from({ length: count }, (_, at) => `mark-${at + 1}`);
  return { text: marks.map(line).join("\n"), marks };
}

/** The marks that are on screen now: inside the window, and with nothing on top of them. */
export function marksInSight(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      for (const { 0: mark, index } of (node as Text).data.matchAll(/mark-\d+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + mark.length);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        const isInside =
          right > left && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        const topmost = isInside && document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (topmost && (topmost.contains(node) || node.parentElement?.contains(topmost))) found.push(mark);
      }
    return found;
  });
}

/** The ids of decisions to which the page has sent an answer so far. */
export function answersOf(page: Page): { id: string; number: number }[] {
  const sent: { id: string; number: number }[] = [];
  page.on("request", (it) => {
    if (it.method() !== "POST" || !/\/decisions\/(dec-\w+\/)?resolve$/.test(it.url())) return;
    const body = it.postDataJSON() as { ids?: string[]; choices?: number[][] };
    const one = /\/decisions\/(dec-\w+)\/resolve$/.exec(it.url())?.[1];
    for (const id of body.ids ?? (one ? [one] : [])) sent.push({ id, number: body.choices?.[0]?.[0] ?? 0 });
  });
  return sent;
}
