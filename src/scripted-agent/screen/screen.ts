/** The terminal: finished text scrolls by, and the lines below it are redrawn in place. The normal screen, no library. */
import type { Size } from "./dialog-view.ts";

export interface Screen {
  size(): Size;
  /** Text that stays; wrapped to the current width, and again when that changes. */
  print(block: Block): void;
  /** The lines at the bottom, and where the cursor stands in them (hidden when null). */
  draw(lines: string[], cursor: { row: number; column: number } | null): void;
  /** Raw bytes, above the lines at the bottom. Waits until the terminal has taken them. */
  pour(parts: Iterable<string>): Promise<void>;
  /** After a change of size: everything again. */
  redraw(): void;
  close(): void;
}

export type Block = (columns: number) => string[];

const KEPT_BLOCKS = 300;
const HIDE = "\u001b[?25l";
const SHOW = "\u001b[?25h";

export function startScreen(output: NodeJS.WriteStream): Screen {
  const blocks: Block[] = [];
  let live: string[] = [];
  let cursor: { row: number; column: number } | null = null;
  /** The row of the live lines on which the terminal's cursor is. */
  let at = 0;

  const size = () => ({ columns: Math.max(output.columns ?? 80, 20), rows: Math.max(output.rows ?? 24, 8) });
  const home = () => (at > 0 ? `\u001b[${at}A\r` : "\r");

  /** Line by line over what is there, so that a look in between never sees an empty screen. */
  function paint(above: string[], next: string[], place: typeof cursor): void {
    const shown = next.slice(-size().rows + 1);
    const lines = [...above, ...shown];
    const text = lines.map((line) => `\u001b[2K${line}`).join("\r\n");
    const row = place === null ? shown.length - 1 : Math.max(place.row - (next.length - shown.length), 0);
    const up = shown.length - 1 - row;
    const put =
      place === null
        ? ""
        : `${up > 0 ? `\u001b[${up}A` : ""}\r${place.column > 0 ? `\u001b[${place.column}C` : ""}${SHOW}`;
    output.write(`${HIDE}${home()}${text}\u001b[J${put}`);
    live = next;
    cursor = place;
    at = place === null ? Math.max(shown.length - 1, 0) : row;
  }

  return {
    size,
    print(block) {
      blocks.push(block);
      if (blocks.length > KEPT_BLOCKS) blocks.shift();
      paint(block(size().columns), live, cursor);
    },
    draw(lines, place) {
      if (same(lines, live) && same([place], [cursor])) return;
      paint([], lines, place);
    },
    async pour(parts) {
      output.write(`${home()}\u001b[J`);
      for (const part of parts)
        if (!output.write(part)) await new Promise((resolve) => output.once("drain", resolve));
      output.write("\r\n");
      at = 0;
      paint([], live, cursor);
    },
    redraw() {
      const { columns, rows } = size();
      const room = Math.max(rows - live.length - 1, 0);
      const above = room === 0 ? [] : blocks.flatMap((block) => block(columns)).slice(-room);
      output.write("\u001b[H\u001b[2J");
      at = 0;
      paint(above, live, cursor);
    },
    close() {
      const down = Math.max(Math.min(live.length, size().rows - 1) - 1 - at, 0);
      output.write(`${down > 0 ? `\u001b[${down}B` : ""}\r\n${SHOW}`);
    },
  };
}

function same(a: unknown[], b: unknown[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
