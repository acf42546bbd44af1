/**
 * Reports how much of what a decision is about has been on screen. Only what was really in view counts: nothing under
 * a bar, behind a dialog, in a hidden window, or passed over by a jump.
 */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { sightOf } from "./scroll.ts";
import { dispatch } from "./store.ts";

interface Span {
  from: number;
  to: number;
}

/** Borders, and what is lost by rounding. */
const SLACK_PX = 4;

/** How many characters of a text that is cut make a screen. */
const SCREEN_CHARACTERS = 2000;

/**
 * `text` stands for what the element shows: when it changes, all of it must be seen again. It is the decision itself, or
 * the rule that it would become.
 */
export function useSight(
  matter: RefObject<HTMLElement | null>,
  id: string,
  text: string,
  type: "saw" | "saw-rule" = "saw",
): void {
  useLayoutEffect(() => {
    const element = matter.current;
    const view = element?.closest<HTMLElement>(".pane, .dialog-text");
    if (!element || !view) return undefined;
    let seen: Span[] = [];
    let size = "";
    let told: number | null = null;
    const look = () => {
      if (told === 0 || !isOnTop(element)) return;
      const box = element.getBoundingClientRect();
      if (size !== `${box.width}x${box.height}`) seen = []; // the lines are elsewhere now
      size = `${box.width}x${box.height}`;
      const { top, bottom } = sightOf(view);
      const from = Math.max(0, top - box.top);
      const to = Math.min(box.height, bottom - box.top);
      if (to > from) seen = joined([...seen, { from, to }]);
      const rest = screensLeft(box.height, seen, bottom - top) + cutScreens(element);
      if (rest === 0) delete element.dataset.unseen;
      else element.dataset.unseen = String(firstGap(box.height, seen) ?? cutPlace(element, box.top));
      if (rest === told) return;
      told = rest;
      dispatch({ type, id, rest });
    };
    look();
    const watcher = new ResizeObserver(look);
    for (const it of [element, view]) watcher.observe(it);
    view.addEventListener("scroll", look, { passive: true });
    document.addEventListener("visibilitychange", look);
    document.addEventListener("close", look, true); // of a dialog
    return () => {
      watcher.disconnect();
      view.removeEventListener("scroll", look);
      document.removeEventListener("visibilitychange", look);
      document.removeEventListener("close", look, true);
    };
  }, [matter, id, text, type]);
}

function isOnTop(element: HTMLElement): boolean {
  const dialog = document.querySelector("dialog[open]");
  return !document.hidden && element.checkVisibility() && (dialog === null || dialog.contains(element));
}

function screensLeft(height: number, seen: readonly Span[], screen: number): number {
  const left = height - seen.reduce((sum, { from, to }) => sum + to - from, 0) - SLACK_PX;
  return left <= 0 ? 0 : Math.ceil(left / Math.max(1, screen));
}

/** Where the first part begins that has not been in view; null if there is none. */
function firstGap(height: number, [first]: readonly Span[]): number | null {
  const gap = first && first.from <= SLACK_PX ? first.to : 0;
  return gap >= height - SLACK_PX ? null : gap;
}

function cutPlace(element: HTMLElement, top: number): number {
  return (element.querySelector("[data-cut]")?.getBoundingClientRect().top ?? top) - top;
}

/** A text that is cut has been seen once it was opened. */
function cutScreens(element: HTMLElement): number {
  const cuts = [...element.querySelectorAll<HTMLElement>("[data-cut]")];
  return cuts.reduce((sum, it) => sum + Math.ceil(Number(it.dataset.cut) / SCREEN_CHARACTERS), 0);
}

/** Spans that touch become one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const it of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && it.from <= last.to) last.to = Math.max(last.to, it.to);
    else all.push({ ...it });
  }
  return all;
}
