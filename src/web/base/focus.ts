/** Where the focus goes when what had it is gone: to the decision that is shown now, so that Tab goes on from there. */
import { useEffect, useLayoutEffect } from "preact/hooks";

let last: Element | null = null;

/** Whoever answers by letters has the whole page for them. */
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
    if (!title) return; // still on its way
    last = null;
    title.focus({ preventScroll: true });
  });
}
