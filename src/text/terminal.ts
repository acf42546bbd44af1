/**
 * A terminal as far as reading what a program printed needs one: a grid of characters, a cursor, and the lines that
 * have left the top. Colours are dropped. Its text is not safe yet: whoever shows it passes it through `safe`.
 */
import { clusters } from "./layout.ts";
import type { Code } from "./terminal-codes.ts";
import { codesOf } from "./terminal-codes.ts";

export interface Terminal {
  write(part: string): void;
  /** The lines that left the top since this was last called. */
  scrolled(): Line[];
  /** What is on the screen, without empty lines at its end. */
  lines(): Line[];
  /** Only the lines above the cursor: a program that just prints does not change them any more. */
  linesAbove(): Line[];
  /** Whether the program draws: it has moved the cursor up, or erased the screen. */
  isDrawn(): boolean;
}

export interface Line {
  text: string;
  /** It continues the line before, which was too long for the screen. */
  joins: boolean;
}

interface Row {
  /** A wide character has an empty cell behind it. */
  cells: string[];
  joins: boolean;
}

interface Page {
  rows: Row[];
  x: number;
  y: number;
  saved: { x: number; y: number };
}

/** More than anybody scrolls through; the oldest go first. */
const MOST_SCROLLED = 200_000;

export function openTerminal({ columns, rows }: { columns: number; rows: number }): Terminal {
  let page = newPage();
  /** The page below the one that a full-screen program has taken; null if none has. */
  let below: Page | null = null;
  let [top, bottom] = [0, rows - 1];
  let isFull = false; // the last column was written: the next character begins a line
  let isDrawn = false;
  let left: Line[] = [];
  let cleared = "";
  let rest = "";

  function newPage(): Page {
    return { rows: Array.from({ length: rows }, newRow), x: 0, y: 0, saved: { x: 0, y: 0 } };
  }

  const row = (): Row => page.rows[page.y] ?? newRow();

  function print(text: string): void {
    for (const { text: cluster, width } of clusters(text)) {
      if (width === 0) {
        const at = Math.max(0, page.x - (isFull ? 0 : 1));
        row().cells[at] = (row().cells[at] ?? "") + cluster;
        continue;
      }
      if (isFull || page.x + width > columns) {
        page.x = 0;
        feed();
        row().joins = true;
      }
      const { cells } = row();
      while (cells.length < page.x) cells.push(" ");
      cells[page.x] = cluster;
      if (width === 2) cells[page.x + 1] = "";
      isFull = page.x + width >= columns;
      page.x = Math.min(page.x + width, columns - 1);
    }
  }

  /** To the next line; at the end of the screen, everything moves up. */
  function feed(): void {
    isFull = false;
    if (page.y === bottom) scroll(1);
    else page.y = Math.min(page.y + 1, rows - 1);
  }

  function scroll(count: number): void {
    for (let n = 0; n < Math.min(count, rows); n++) {
      const [gone] = page.rows.splice(top, 1);
      page.rows.splice(bottom, 0, newRow());
      if (gone && top === 0 && below === null) leave([lineOf(gone)]);
    }
  }

  function leave(lines: Line[]): void {
    left.push(...lines);
    if (left.length > MOST_SCROLLED * 1.1) left = left.slice(-MOST_SCROLLED);
  }

  /** What a program clears is kept, as a terminal keeps it; unless it clears the same picture again and again. */
  function clear(): void {
    const lines = shown(page.rows);
    const picture = lines.map((it) => it.text).join("\n");
    if (below === null && picture !== cleared) leave(lines);
    cleared = picture;
    page.rows = Array.from({ length: rows }, newRow);
  }

  function control(character: string): void {
    if (character === "\r") [page.x, isFull] = [0, false];
    else if (character === "\n" || character === "\v" || character === "\f") feed();
    else if (character === "\b") [page.x, isFull] = [Math.max(0, page.x - 1), false];
    else if (character === "\t") page.x = Math.min(columns - 1, (Math.floor(page.x / 8) + 1) * 8);
  }

  function go(x: number, y: number): void {
    isFull = false;
    page.x = Math.max(0, Math.min(columns - 1, x));
    page.y = Math.max(0, Math.min(rows - 1, y));
  }

  function insertRows(count: number, at: number): void {
    if (at < top || at > bottom) return;
    const added = Math.min(count, bottom - at + 1);
    page.rows.splice(bottom - added + 1, added);
    page.rows.splice(at, 0, ...Array.from({ length: added }, newRow));
  }

  function removeRows(count: number): void {
    if (page.y < top || page.y > bottom) return;
    const gone = Math.min(count, bottom - page.y + 1);
    page.rows.splice(page.y, gone);
    page.rows.splice(bottom - gone + 1, 0, ...Array.from({ length: gone }, newRow));
  }

  function erase(how: number): void {
    const { x, y } = page;
    if (how === 2) return clear();
    if (how === 3) {
      left = [];
      return;
    }
    eraseLine(how);
    const [from, to] = how === 0 ? [y + 1, rows] : [0, y];
    for (let at = from; at < to; at++) page.rows[at] = newRow();
    go(x, y);
  }

  function eraseLine(how: number): void {
    const { cells } = row();
    if (how === 0) cells.length = Math.min(cells.length, page.x);
    else if (how === 2) row().cells = [];
    else for (let at = 0; at <= page.x; at++) cells[at] = " ";
  }

  /** A program takes the whole screen, and gives it back as it was. */
  function take(isTaken: boolean): void {
    if (isTaken && below === null) [below, page] = [page, newPage()];
    else if (!isTaken && below !== null) [page, below] = [below, null];
    [top, bottom] = [0, rows - 1];
  }

  /** Only these rows scroll. */
  function limit(first: number, last: number): void {
    if (first < last) [top, bottom] = [first, last];
    go(0, 0);
  }

  function csi({ mark, numbers, final }: Extract<Code, { type: "csi" }>): void {
    const [first = 0, second = 0] = numbers;
    const count = Math.max(1, first);
    const { x, y } = page;
    if (mark === "?") {
      if ((final === "h" || final === "l") && numbers.some((it) => it === 47 || it === 1047 || it === 1049))
        take(final === "h");
      return;
    }
    if (mark !== "" || final === "m") return;
    if (/[AFHfdLMST]/.test(final) || (final === "J" && first > 0)) isDrawn = true;
    const { cells } = row();
    switch (final) {
      case "A":
        return go(x, y - count);
      case "B":
        return go(x, y + count);
      case "C":
        return go(x + count, y);
      case "D":
        return go(x - count, y);
      case "E":
        return go(0, y + count);
      case "F":
        return go(0, y - count);
      case "G":
        return go(count - 1, y);
      case "H":
      case "f":
        return go(Math.max(1, second) - 1, count - 1);
      case "d":
        return go(x, count - 1);
      case "J":
        return erase(first);
      case "K":
        return eraseLine(first);
      case "L":
        return insertRows(count, y);
      case "M":
        return removeRows(count);
      case "P":
        cells.splice(x, count);
        return;
      case "@":
        if (x < cells.length) cells.splice(x, 0, ...Array<string>(Math.min(count, columns)).fill(" "));
        cells.length = Math.min(cells.length, columns);
        return;
      case "X":
        cells.fill(" ", x, x + count);
        return;
      case "S":
        return scroll(count);
      case "T":
        return insertRows(count, top);
      case "r":
        return limit(count - 1, Math.min(second || rows, rows) - 1);
      case "s":
        page.saved = { x, y };
        return;
      case "u":
        return go(page.saved.x, page.saved.y);
    }
  }

  function escaped(final: string): void {
    const { x, y, saved } = page;
    if (final === "7") page.saved = { x, y };
    else if (final === "8") go(saved.x, saved.y);
    else if (final === "D") feed();
    else if (final === "E") {
      page.x = 0;
      feed();
    } else if (final === "M") {
      if (y === top) insertRows(1, top);
      else go(x, y - 1);
    } else if (final === "c") {
      take(false);
      clear();
      go(0, 0);
    }
  }

  return {
    write(part) {
      const { codes, rest: unfinished } = codesOf(rest + part);
      rest = unfinished;
      for (const code of codes) {
        if (code.type === "text") print(code.text);
        else if (code.type === "control") control(code.control);
        else if (code.type === "csi") csi(code);
        else escaped(code.final);
      }
    },
    scrolled() {
      const lines = left;
      left = [];
      return lines;
    },
    lines: () => shown(page.rows),
    linesAbove: () => page.rows.slice(0, page.y).map(lineOf),
    isDrawn: () => isDrawn,
  };
}

function newRow(): Row {
  return { cells: [], joins: false };
}

function lineOf({ cells, joins }: Row): Line {
  return { text: cells.join(""), joins };
}

/** Lines as they were printed: those that the screen's width broke are whole again. */
export function wholeLines(lines: readonly Line[]): string[] {
  const whole: string[] = [];
  for (const { text, joins } of lines) {
    if (joins && whole.length > 0) whole.push(whole.pop() + text);
    else whole.push(text);
  }
  return whole.map((it) => it.trimEnd());
}

function shown(rows: readonly Row[]): Line[] {
  const end = rows.findLastIndex(({ cells }) => cells.some((it) => it.trim() !== ""));
  return rows.slice(0, end + 1).map(lineOf);
}
