/**
 * The bar that sends. It stays within reach; while the options are out of sight it leads to them, past the end of the
 * exact action.
 */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Reading } from "../../inbox/answer.ts";
import { safeLine } from "../../text/safe.ts";
import { Key } from "../parts/key.tsx";

interface Given {
  reading: Reading;
  sending: boolean;
  /** How many decisions get the answer. */
  count: number;
  disabled: boolean;
}

export function SendBar({ reading, sending, count, disabled }: Given) {
  const bar = useRef<HTMLDivElement>(null);
  const ahead = useAhead(bar);
  if (ahead !== null && reading.type !== "ready" && !disabled)
    return (
      <div ref={bar} class="send-bar">
        <button type="button" class="send unready" onClick={() => lead(ahead, bar.current)}>
          {ahead === "action" ? "Read on ↓" : "To the options ↓"}
        </button>
      </div>
    );
  return (
    <div ref={bar} class="send-bar">
      <p class="send-hint">{reading.type === "ready" ? "" : reading.why}</p>
      <button type="submit" class={reading.type === "ready" ? "send" : "send unready"} disabled={disabled}>
        <span>
          {sending
            ? "Sending…"
            : reading.type === "ready"
              ? `Send${count > 1 ? ` to ${count}` : ""}: ${safeLine(reading.words)}`
              : "Send"}
        </span>
        <Key>↵</Key>
      </button>
    </div>
  );
}

type Ahead = "action" | "options";

/** What is still below the visible part: the end of the exact action, then the options. */
function useAhead(bar: RefObject<HTMLDivElement | null>): Ahead | null {
  const [ahead, setAhead] = useState<Ahead | null>(null);
  useLayoutEffect(() => {
    const { pane, decision, action, options } = partsAround(bar.current);
    if (!pane || !decision) return undefined;
    const look = () => {
      const edge = bar.current?.getBoundingClientRect().top ?? 0;
      const isBelow = (place: number | undefined) => place !== undefined && place > edge;
      const isStacked = (options?.getBoundingClientRect().left ?? 0) <= decision.getBoundingClientRect().left;
      if (!isStacked) setAhead(null);
      else if (isBelow(action?.getBoundingClientRect().bottom)) setAhead("action");
      else setAhead(isBelow(options?.getBoundingClientRect().top) ? "options" : null);
    };
    const watcher = new ResizeObserver(look);
    for (const it of [pane, decision]) watcher.observe(it);
    pane.addEventListener("scroll", look, { passive: true });
    return () => {
      watcher.disconnect();
      pane.removeEventListener("scroll", look);
    };
  }, [bar]);
  return ahead;
}

/** Scrolls one screen down, but not past the end of the action; from there it goes to the options. */
function lead(ahead: Ahead, bar: HTMLDivElement | null): void {
  const { pane, action, options } = partsAround(bar);
  if (!pane || !bar) return;
  const { top, height } = bar.getBoundingClientRect();
  if (ahead === "options") options?.scrollIntoView();
  else {
    const left = (action?.getBoundingClientRect().bottom ?? top) - top;
    pane.scrollBy({ top: Math.min(left + 8, pane.clientHeight - height - 48) });
  }
}

function partsAround(bar: HTMLDivElement | null) {
  const decision = bar?.closest(".decision") ?? null;
  return {
    pane: bar?.closest(".pane") ?? null,
    decision,
    action: decision?.querySelector(".action") ?? null,
    options: decision?.querySelector(".places") ?? null,
  };
}
