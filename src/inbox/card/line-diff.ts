/** Which lines a change removes and adds, with the unchanged ones around them. */
import type { DiffLine } from "./card.ts";

/** Unchanged lines that are kept around each change. */
const AROUND = 3;
/** Longer texts are not compared line by line: then all old lines are removed, and all new ones added. */
const MOST_CELLS = 4_000_000;

export function lineDiff(before: string, after: string): DiffLine[] {
  return withGaps(changes(linesOf(before), linesOf(after)));
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function changes(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...marked("kept", before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...marked("kept", before.slice(before.length - end)),
  ];
}

/** What they have in common is found as the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length * after.length > MOST_CELLS)
    return [...marked("removed", before), ...marked("added", after)];
  const common = commonLengths(before, after);
  const at = (b: number, a: number) => common[b * (after.length + 1) + a] ?? 0;
  const lines: DiffLine[] = [];
  let b = 0;
  let a = 0;
  while (b < before.length || a < after.length) {
    const [old, fresh] = [before[b], after[a]];
    if (old !== undefined && old === fresh) {
      lines.push({ kind: "kept", text: old });
      b++;
      a++;
    } else if (old !== undefined && (fresh === undefined || at(b + 1, a) >= at(b, a + 1))) {
      lines.push({ kind: "removed", text: old });
      b++;
    } else {
      lines.push({ kind: "added", text: fresh ?? "" });
      a++;
    }
  }
  return lines;
}

/** For each pair of beginnings, how many lines the rest of both texts have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let b = before.length - 1; b >= 0; b--)
    for (let a = after.length - 1; a >= 0; a--)
      common[b * width + a] =
        before[b] === after[a]
          ? (common[(b + 1) * width + a + 1] ?? 0) + 1
          : Math.max(common[(b + 1) * width + a] ?? 0, common[b * width + a + 1] ?? 0);
  return common;
}

/** Leaves out unchanged lines that are far from any change, if that saves more than the line that says so. */
function withGaps(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = new Uint8Array(lines.length);
  for (const [at, { kind }] of lines.entries())
    if (kind !== "kept") isNear.fill(1, Math.max(0, at - AROUND), at + AROUND + 1);
  const shown: DiffLine[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && isNear[end] === 0) end++;
    if (end - at > 1) shown.push({ kind: "gap", text: `${end - at} unchanged lines` });
    else shown.push(...lines.slice(at, end));
    at = end;
    while (at < lines.length && isNear[at] === 1) shown.push(...lines.slice(at, ++at));
  }
  return shown;
}

function marked(kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}
