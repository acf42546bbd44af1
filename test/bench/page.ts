/** Measures inside the page. It looks only at what was added, never at everything: measuring must cost nothing. */

export interface Bench {
  /** When the first row was painted, in milliseconds after the navigation began. */
  firstRowAt: Promise<number>;
  /** When the row of this decision was painted, by the clock. */
  paintedAt(id: string): Promise<number>;
  /** How long after the next key another row is painted as the one in focus. */
  moved(): Promise<number>;
  /** The position in the list of the row in focus. */
  position(): number;
  scrolled(): number;
  /** Times between frames until the list is scrolled that far. */
  framesUntil(to: number): Promise<number[]>;
  /** Whether there is no row in the middle of the list. */
  isBlank(): boolean;
}

declare global {
  interface Window {
    bench: Bench;
  }
}

/** Runs in the page before any of its own scripts. */
export function measureInPage(): void {
  const painted = (): Promise<{ clock: number; now: number }> =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve({ clock: Date.now(), now: performance.now() });
        port2.postMessage(null); // is handled after the frame
      }),
    );
  const seen = new Map<string, Promise<number>>();
  const wanted = new Map<string, (at: Promise<number>) => void>();
  let first = (_: number) => {};
  const firstRowAt = new Promise<number>((resolve) => {
    first = resolve;
  });
  new MutationObserver((changes) => {
    const rows = changes
      .flatMap((it) => [...it.addedNodes])
      .flatMap((it) => (it instanceof HTMLElement ? [...it.querySelectorAll(".row")] : []));
    if (rows.length === 0) return;
    const frame = painted();
    void frame.then((it) => first(it.now));
    for (const { id } of rows) {
      const at = frame.then((it) => it.clock);
      seen.set(id, at);
      wanted.get(id)?.(at);
    }
  }).observe(document, { childList: true, subtree: true });

  const focus = () => document.querySelector(".row.selected");
  const list = () => document.querySelector(".virtual") as HTMLElement;
  window.bench = {
    firstRowAt,
    paintedAt: (id) => seen.get(`row-${id}`) ?? new Promise((resolve) => wanted.set(`row-${id}`, resolve)),
    moved: () =>
      new Promise((resolve) => {
        const before = focus();
        const isPressed = ({ timeStamp }: KeyboardEvent) => {
          const look = () => {
            if (focus() === before) return requestAnimationFrame(look);
            return painted().then((it) => resolve(it.now - timeStamp));
          };
          look();
        };
        document.addEventListener("keydown", isPressed, { once: true });
      }),
    position: () => Number(focus()?.getAttribute("aria-posinset")),
    scrolled: () => list().scrollTop,
    framesUntil: (to) =>
      new Promise((resolve) => {
        const gaps: number[] = [];
        let last = performance.now();
        const frame = (now: number) => {
          gaps.push(now - last);
          last = now;
          if (list().scrollTop >= to) resolve(gaps);
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    isBlank: () => {
      const { left, top, width, height } = list().getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".row") === null;
    },
  };
}
