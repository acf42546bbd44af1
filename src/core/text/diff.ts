/** What changes between two texts, line by line, as a unified diff with a few lines around each change. */

const CONTEXT = 3;
/** More changes than this are shown as "all of it was replaced": finding the best match would take too long. */
const MOST_CHANGES = 500;
const MOST_LINES = 20_000;
const NO_NEWLINE = "\\ No newline at end of file";

/** Empty if nothing changes. */
export function unifiedDiff(before: string, after: string): string {
  const edits = editsOf(linesOf(before), linesOf(after));
  return hunksOf(edits).map(hunkText).join("\n");
}

/** A line of a diff, for whoever shows it. */
export interface DiffLine {
  /** `gap`: unchanged lines were left out here; its text says how many. */
  kind: "kept" | "removed" | "added" | "gap";
  text: string;
}

/** Takes a unified diff of one file apart. Lines that say nothing about the file's content are left out. */
export function readDiff(text: string): DiffLine[] {
  const found: DiffLine[] = [];
  let next = 1;
  for (const line of text === "" ? [] : text.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(line);
    const kind = KINDS[line.slice(0, 1)];
    if (hunk) {
      const left = Number(hunk[1]) - next;
      if (left > 0) found.push({ kind: "gap", text: `${left} unchanged ${left === 1 ? "line" : "lines"}` });
      next = Number(hunk[1]);
    } else if (line === NO_NEWLINE) {
      const last = found.at(-1);
      if (last) found[found.length - 1] = { ...last, text: `${last.text} (no newline at the end)` };
    } else if (kind !== undefined) {
      found.push({ kind, text: line.slice(1) });
      if (kind !== "added") next++;
    }
  }
  return found;
}

const KINDS: Readonly<Record<string, "kept" | "removed" | "added">> = {
  " ": "kept",
  "-": "removed",
  "+": "added",
};

/** Lines with their ends, so that a missing newline at the end is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

interface Edit {
  mark: " " | "-" | "+";
  line: string;
}

function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const inner = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)] as const;
  return [
    ...marked(" ", before.slice(0, head)),
    ...(shortest(...inner) ?? [...marked("-", inner[0]), ...marked("+", inner[1])]),
    ...marked(" ", before.slice(before.length - tail)),
  ];
}

function marked(mark: Edit["mark"], lines: readonly string[]): Edit[] {
  return lines.map((line) => ({ mark, line }));
}

/** The shortest way from one to the other (Myers' algorithm), or null if it is too long to look for. */
function shortest(before: readonly string[], after: readonly string[]): Edit[] | null {
  if (before.length + after.length > MOST_LINES) return null;
  const [older = [], newer = []] = numbered(before, after);
  const most = Math.min(before.length + after.length, MOST_CHANGES);
  const far = new Int32Array(2 * most + 3);
  const steps: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    steps.push(far.slice(most + 1 - d - 1, most + 1 + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const at = most + 1 + k;
      let x = isDown(far, at, k, d) ? (far[at + 1] ?? 0) : (far[at - 1] ?? 0) + 1;
      while (x < older.length && x - k < newer.length && older[x] === newer[x - k]) x++;
      far[at] = x;
      if (x >= older.length && x - k >= newer.length) return walkBack(before, after, steps);
    }
  }
  return null;
}

/** A number for each different line: comparing long lines again and again would take too long. */
function numbered(...texts: (readonly string[])[]): number[][] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  return texts.map((lines) => lines.map(numberOf));
}

/** Whether the best way to diagonal `k` in `d` changes adds a line rather than removing one. */
function isDown(far: Int32Array, at: number, k: number, d: number): boolean {
  return k === -d || (k !== d && (far[at - 1] ?? 0) < (far[at + 1] ?? 0));
}

function walkBack(before: readonly string[], after: readonly string[], steps: readonly Int32Array[]): Edit[] {
  const edits: Edit[] = [];
  let [x, y] = [before.length, after.length];
  for (let d = steps.length - 1; d >= 0; d--) {
    const far = steps[d] ?? new Int32Array();
    const k = x - y;
    const from = isDown(far, d + 1 + k, k, d) ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (far[d + 1 + from] ?? 0);
    const fromY = d === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      edits.push({ mark: " ", line: before[--x] ?? "" });
      y--;
    }
    if (d === 0) break;
    if (x > fromX) edits.push({ mark: "-", line: before[--x] ?? "" });
    else edits.push({ mark: "+", line: after[--y] ?? "" });
  }
  return edits.reverse();
}

interface Hunk {
  from: number;
  to: number;
  edits: Edit[];
}

/** Changes that are close to each other share a hunk. */
function hunksOf(edits: readonly Edit[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [older, newer, end] = [1, 1, -1];
  edits.forEach(({ mark }, at) => {
    if (mark !== " ") {
      const begin = Math.max(at - CONTEXT, end, 0);
      if (begin > end || hunks.length === 0) {
        const lead = at - begin;
        hunks.push({ from: older - lead, to: newer - lead, edits: [] });
      }
      const stop = Math.min(at + CONTEXT + 1, edits.length);
      hunks.at(-1)?.edits.push(...edits.slice(begin > end ? begin : Math.max(end, 0), stop));
      end = stop;
    }
    if (mark !== "+") older++;
    if (mark !== "-") newer++;
  });
  return hunks;
}

function hunkText({ from, to, edits }: Hunk): string {
  const removed = edits.filter((it) => it.mark !== "+").length;
  const added = edits.filter((it) => it.mark !== "-").length;
  return [`@@ -${range(from, removed)} +${range(to, added)} @@`, ...edits.map(editText)].join("\n");
}

/** A side without lines is counted from the line before it. */
function range(from: number, count: number): string {
  return `${count === 0 ? from - 1 : from},${count}`;
}

function editText({ mark, line }: Edit): string {
  return line.endsWith("\n") ? `${mark}${line.slice(0, -1)}` : `${mark}${line}\n${NO_NEWLINE}`;
}
