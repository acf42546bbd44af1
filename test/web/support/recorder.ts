/**
 * Runs in the page, and writes down what a person could see: every mark that was ever on screen, and with each answer
 * that leaves the page, what had been seen and what was listed by then. It reads what is drawn and asks the page nothing.
 */

export interface Sent {
  ids: string[];
  /** Whether it chose an option: words alone approve nothing. */
  hasChosen: boolean;
  /** The marks that had been on screen. */
  seen: string[];
  /** The rows of the list when the person acted: their ids and titles. */
  rows: { id: string; title: string }[];
}

declare global {
  interface Window {
    sent: Sent[];
  }
}

export function recordInPage(): void {
  const seen = new Set<string>();
  let rows: Sent["rows"] = [];
  window.sent = [];

  const look = () => {
    if (!document.body) return;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      for (const { 0: mark, index } of (node as Text).data.matchAll(/mark-\d+/g)) {
        if (seen.has(mark)) continue;
        range.setStart(node, index);
        range.setEnd(node, index + mark.length);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        const isInside =
          right > left && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        const topmost = isInside && document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (topmost && (topmost.contains(node) || node.parentElement?.contains(topmost))) seen.add(mark);
      }
  };
  const list = () => {
    look();
    rows = [...document.querySelectorAll<HTMLElement>(".row")].map((it) => ({
      id: it.id.replace("row-", ""),
      title: it.querySelector(".row-title")?.textContent ?? "",
    }));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  for (const it of ["keydown", "click"]) window.addEventListener(it, list, true);
  for (const it of ["scroll", "resize", "close"]) window.addEventListener(it, look, true);
  const frame = () => {
    look();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);

  const real = window.fetch;
  window.fetch = (input, init) => {
    const [, id] = /\/decisions\/(?:(dec-\w+)\/)?resolve$/.exec(String(input)) ?? [null, undefined];
    if (/\/resolve$/.test(String(input))) {
      const body = JSON.parse(String(init?.body)) as { ids?: string[]; choices?: number[][] };
      const ids = body.ids ?? (id ? [id] : []);
      window.sent.push({ ids, hasChosen: (body.choices?.length ?? 0) > 0, seen: [...seen], rows });
    }
    return real(input, init);
  };
}
