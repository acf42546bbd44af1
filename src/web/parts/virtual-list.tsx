/**
 * A list of any length that draws only the visible rows. It keeps the focus and names the active row to assistive
 * technology.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** A row's height, in rem: low for a pointer, high enough for a finger. */
const ROW_REM = 3;
const TALL_REM = 3.25;
const MORE = 6;

interface Given<Line> {
  lines: readonly Line[];
  idOf(line: Line): string;
  selected: string | null;
  label: string;
  row(line: Line, at: number): ComponentChildren;
  onEnd?(): void;
  /** Where the page has no keys of its own, arrows, Home and End move to another row. */
  onMove?(id: string): void;
}

export function VirtualList<Line>({ lines, idOf, selected, label, row, onEnd, onMove }: Given<Line>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const height = rowHeight();
  const at = lines.findIndex((it) => idOf(it) === selected);

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

  // A newly chosen row scrolls into view, and stays there when the list becomes lower; a row that only changed its
  // position does not.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || at === -1) return;
    const top = at * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  }, [selected, view.height]);

  const first = Math.max(0, Math.floor(view.top / height) - MORE);
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / height) + MORE);
  useEffect(() => {
    if (last >= lines.length) onEnd?.();
  }, [last, lines.length, onEnd]);
  const shown = lines.slice(first, last);
  const active = lines[at];
  const isOut = active !== undefined && (at < first || at >= last);
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      onKeyDown={(event) => {
        const to = lines[placeAfter(event.key, at, lines.length)];
        if (!onMove || !to) return;
        event.preventDefault();
        onMove(idOf(to));
      }}
      {...(active ? { "aria-activedescendant": `row-${idOf(active)}` } : {})}
    >
      <div class="virtual-all" role="presentation" style={{ height: `${lines.length * height}px` }}>
        {isOut && (
          <div key={idOf(active)} class="virtual-row" role="presentation" style={placed(at * height, height)}>
            {row(active, at)}
          </div>
        )}
        {shown.map((it, index) => (
          <div
            key={idOf(it)}
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

function rowHeight(): number {
  const isTall = matchMedia("(max-width: 48rem), (pointer: coarse)").matches;
  return (
    (isTall ? TALL_REM : ROW_REM) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  );
}
