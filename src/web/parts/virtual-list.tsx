/**
 * A list of any length that draws only the visible rows. It keeps the focus and names the active row to assistive
 * technology.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DecisionBrief } from "../../api/api.ts";

/** A row's height, in rem. */
const ROW_REM = 5;
const MORE = 6;

interface Given {
  briefs: readonly DecisionBrief[];
  selected: string | null;
  label: string;
  row(brief: DecisionBrief, at: number): ComponentChildren;
  onEnd?(): void;
  /** Where the page has no keys of its own, arrows, Home and End move to another row. */
  onMove?(id: string): void;
}

export function VirtualList({ briefs, selected, label, row, onEnd, onMove }: Given) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const height = ROW_REM * rem();
  const at = briefs.findIndex((it) => it.id === selected);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);

  // A newly chosen row scrolls into view; a row that only changed its position does not.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || at === -1) return;
    const top = at * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  }, [selected]);

  const first = Math.max(0, Math.floor(view.top / height) - MORE);
  const last = Math.min(briefs.length, Math.ceil((view.top + view.height) / height) + MORE);
  useEffect(() => {
    if (last >= briefs.length) onEnd?.();
  }, [last, briefs.length, onEnd]);
  const shown = briefs.slice(first, last);
  const active = briefs[at];
  const isOut = active !== undefined && (at < first || at >= last);
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      onKeyDown={(event) => {
        const to = briefs[placeAfter(event.key, at, briefs.length)];
        if (!onMove || !to) return;
        event.preventDefault();
        onMove(to.id);
      }}
      {...(active ? { "aria-activedescendant": `row-${active.id}` } : {})}
    >
      <div class="virtual-all" role="presentation" style={{ height: `${briefs.length * height}px` }}>
        {isOut && (
          <div key={active.id} class="virtual-row" role="presentation" style={placed(at * height, height)}>
            {row(active, at)}
          </div>
        )}
        {shown.map((it, index) => (
          <div
            key={it.id}
            class="virtual-row"
            role="presentation"
            style={placed((first + index) * height, height)}
          >
            {row(it, first + index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** -1 if the key moves nothing. */
function placeAfter(key: string, at: number, count: number): number {
  if (key === "ArrowDown") return Math.min(at + 1, count - 1);
  if (key === "ArrowUp") return Math.max(at - 1, 0);
  return key === "Home" ? 0 : key === "End" ? count - 1 : -1;
}

function placed(top: number, height: number) {
  return { transform: `translateY(${top}px)`, height: `${height}px` };
}

function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
