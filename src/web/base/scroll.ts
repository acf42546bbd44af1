/** Scrolling through what is read: by a screen with some overlap, or to the first part that has not been in view. */

const OVERLAP_PX = 48;

export function scrollMatter(by: 1 | -1): void {
  const view = viewNow();
  if (!view) return;
  const { top, bottom } = sightOf(view);
  view.scrollBy({ top: by * Math.max(OVERLAP_PX, bottom - top - OVERLAP_PX) });
}

/** Goes to the first part that has not been in view; if all has been, on by a screen. */
export function readOn(): void {
  const view = viewNow();
  const unseen = view?.querySelector<HTMLElement>("[data-unseen]");
  if (!view || !unseen) return scrollMatter(1);
  const place = unseen.getBoundingClientRect().top + Number(unseen.dataset.unseen);
  view.scrollBy({ top: place - sightOf(view).top - OVERLAP_PX });
}

/** The part of a view that its bar does not cover; a bar beside the text covers nothing. */
export function sightOf(view: HTMLElement): { top: number; bottom: number } {
  const { top, bottom, left } = view.getBoundingClientRect();
  const bar = view.querySelector(".send-bar, .confirm")?.getBoundingClientRect();
  const isCovered = bar !== undefined && bar.left <= left + 1;
  return {
    top: Math.max(0, top),
    bottom: Math.min(innerHeight, bottom, isCovered ? bar.top : bottom),
  };
}

/** The dialog on top, or else the decision in focus. */
function viewNow(): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>("dialog[open] .dialog-text") ??
    document.querySelector<HTMLElement>(".pane")
  );
}
