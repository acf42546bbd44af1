/**
 * Where the focus goes when the element that had it disappears: to the decision now shown, so that Tab continues from
 * there.
 */
import { useEffect, useLayoutEffect } from "preact/hooks";

let last: Element | null = null;

/** Takes the focus away from everything, so that letter keys work on the whole page. */
export function letGo(): void {
  last = null;
  (document.activeElement as HTMLElement | null)?.blur();
}

export function useFocusKept(): void {
  useEffect(() => {
    const listener = ({ target }: FocusEvent) => {
      last = target instanceof Element && target.closest(".decision, .above") ? target : null;
    };
    document.addEventListener("focusin", listener);
    return () => document.removeEventListener("focusin", listener);
  }, []);
  useLayoutEffect(() => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return;
    const title = document.querySelector<HTMLElement>(".pane h2");
    if (!title) return; // still loading
    last = null;
    title.focus({ preventScroll: true });
  });
}
