/** Text in columns: how wide it shows, wrapping, cutting, aligning. It takes safe text; colours are put on afterwards. */

import { SIMPLE } from "./safe.ts";

/** What shows two columns wide: East Asian wide and full-width forms, and emoji. Pairs of first and last. */
const WIDE = [
  0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x23f0, 0x23f0, 0x23f3, 0x23f3, 0x25fd,
  0x25fe, 0x2614, 0x2615, 0x2648, 0x2653, 0x267f, 0x267f, 0x2693, 0x2693, 0x26a1, 0x26a1, 0x26aa, 0x26ab,
  0x26bd, 0x26be, 0x26c4, 0x26c5, 0x26ce, 0x26ce, 0x26d4, 0x26d4, 0x26ea, 0x26ea, 0x26f2, 0x26f3, 0x26f5,
  0x26f5, 0x26fa, 0x26fa, 0x26fd, 0x26fd, 0x2705, 0x2705, 0x270a, 0x270b, 0x2728, 0x2728, 0x274c, 0x274c,
  0x274e, 0x274e, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797, 0x27b0, 0x27b0, 0x27bf, 0x27bf, 0x2b1b,
  0x2b1c, 0x2b50, 0x2b50, 0x2b55, 0x2b55, 0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0xa4cf,
  0xa960, 0xa97c, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0,
  0xffe6, 0x16fe0, 0x18aff, 0x1b000, 0x1b2ff, 0x1f004, 0x1f004, 0x1f0cf, 0x1f0cf, 0x1f18e, 0x1f18e, 0x1f191,
  0x1f19a, 0x1f1e6, 0x1f202, 0x1f210, 0x1f23b, 0x1f240, 0x1f248, 0x1f250, 0x1f251, 0x1f260, 0x1f265, 0x1f300,
  0x1f320, 0x1f32d, 0x1f335, 0x1f337, 0x1f37c, 0x1f37e, 0x1f393, 0x1f3a0, 0x1f3ca, 0x1f3cf, 0x1f3d3, 0x1f3e0,
  0x1f3f0, 0x1f3f4, 0x1f3f4, 0x1f3f8, 0x1f43e, 0x1f440, 0x1f440, 0x1f442, 0x1f4fc, 0x1f4ff, 0x1f53d, 0x1f54b,
  0x1f54e, 0x1f550, 0x1f567, 0x1f57a, 0x1f57a, 0x1f595, 0x1f596, 0x1f5a4, 0x1f5a4, 0x1f5fb, 0x1f64f, 0x1f680,
  0x1f6c5, 0x1f6cc, 0x1f6cc, 0x1f6d0, 0x1f6d2, 0x1f6d5, 0x1f6d7, 0x1f6dc, 0x1f6df, 0x1f6eb, 0x1f6ec, 0x1f6f4,
  0x1f6fc, 0x1f7e0, 0x1f7eb, 0x1f7f0, 0x1f7f0, 0x1f90c, 0x1f93a, 0x1f93c, 0x1f945, 0x1f947, 0x1f9ff, 0x1fa70,
  0x1faff, 0x20000, 0x2fffd, 0x30000, 0x3fffd,
];

const TAB = 8;
const ESCAPE = "\u001b";
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g");

/** Columns that the text takes on a terminal. Our own colours take none. */
export function widthOf(text: string): number {
  const plain = uncoloured(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const cluster of clusters(plain)) width += cluster.width;
  return width;
}

/** Without our own colours. */
export function uncoloured(text: string): string {
  return text.includes(ESCAPE) ? text.replace(COLOUR, "") : text;
}

/** Pads with spaces to the width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Cuts to the width and says so with an ellipsis. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? "" : `${splitAt(text, width - 1)[0]}…`;
}

/**
 * Lines no wider than `width`. Each line of the text keeps its own indentation also where it is continued; words longer
 * than a line are broken, so nothing is lost.
 */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(expandTabs(line.trimEnd()), Math.max(10, width)));
}

/** As `wrap`, with a first prefix and another for all lines that follow. */
export function hang(
  first: string,
  text: string,
  width: number,
  rest = " ".repeat(widthOf(first)),
): string[] {
  const lines = wrap(text, width - Math.max(widthOf(first), widthOf(rest)));
  return lines.map((line, index) => ((index === 0 ? first : rest) + line).trimEnd());
}

export interface TableInput {
  /** Cut the last column to what is left of this; without it nothing is cut. */
  width?: number | undefined;
  /** Where less than this is left for the last column, it moves to a line of its own. */
  room?: number;
  /** The first row is a heading: it has no line of its own for the last column. */
  heading?: boolean;
  /** Colours a padded cell. */
  paint?: (cell: string, row: number, column: number) => string;
}

/** A table is cut to the terminal; what goes to a file or another program is not. */
export function tableWidth({
  isTerminal,
  width,
}: {
  isTerminal: boolean;
  width: number;
}): number | undefined {
  return isTerminal ? width : undefined;
}

/** Aligned columns, two spaces between them, nothing behind the last. */
export function table(
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, room = 0, heading = false, paint = (cell) => cell }: TableInput = {},
): string[] {
  const last = (rows[0]?.length ?? 0) - 1;
  const widthAt = (column: number) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[column] ?? "")), 0);
  const widths = Array.from({ length: Math.max(0, last) }, (_, column) => widthAt(column));
  const left = width - widths.reduce((sum, it) => sum + it + 2, 0);
  const isBelow = left < Math.min(room, widthAt(last));
  return rows.flatMap((row, at) => {
    const cells = row
      .slice(0, Math.max(0, last))
      .map((cell, column) => paint(pad(cell, widths[column] ?? 0), at, column));
    const text = truncate(row[last] ?? "", isBelow ? width - 4 : Math.max(8, left));
    if (!isBelow) return [[...cells, paint(text, at, last)].join("  ").trimEnd()];
    return [
      cells.join("  ").trimEnd(),
      ...(text === "" || (heading && at === 0) ? [] : [`    ${paint(text, at, last)}`]),
    ];
  });
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const indent = (/^ */.exec(line)?.[0] ?? "").slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let rest = line;
  while (widthOf(rest) > width) {
    const [head, tail] = splitAt(rest, width);
    const space = tail.startsWith(" ") ? head.length : head.lastIndexOf(" ");
    const isWord = space > indent.length && head.slice(0, space).trim() !== "";
    lines.push((isWord ? head.slice(0, space) : head).trimEnd());
    rest = indent + (isWord ? rest.slice(space) : tail).trimStart();
  }
  if (rest.trim() !== "") lines.push(rest);
  return lines;
}

/** The longest beginning that fits, and what is left. */
function splitAt(text: string, width: number): [string, string] {
  let used = 0;
  let end = 0;
  for (const cluster of clusters(text)) {
    if (used + cluster.width > width) break;
    used += cluster.width;
    end += cluster.text.length;
  }
  return [text.slice(0, end), text.slice(end)];
}

function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  return line.split("\t").reduce((text, part) => text + " ".repeat(TAB - (widthOf(text) % TAB)) + part);
}

/** Letters with their marks, and emoji with what is joined to them. */
function* clusters(text: string): Generator<{ text: string; width: number }> {
  if (EACH_ALONE.test(text)) {
    for (const letter of text) yield { text: letter, width: isWide(letter) ? 2 : 1 };
    return;
  }
  for (const [cluster] of text.matchAll(CLUSTER())) yield { text: cluster, width: clusterWidth(cluster) };
}

const EACH_ALONE = new RegExp(`^[${SIMPLE}]*$`);
const EMOJI = "\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}]?\\ufe0f?";
/** Vowels and finals that join the letter before them: how macOS writes Korean file names. */
const JAMO = "\\u1160-\\u11ff\\ud7b0-\\ud7ff";
/** Made only when it is needed: it takes milliseconds. */
const CLUSTER = () =>
  new RegExp(`\\p{RI}\\p{RI}|${EMOJI}(?:\\u200d${EMOJI})*|[\\s\\S][\\p{M}${JAMO}]*`, "gu");

function clusterWidth(cluster: string): number {
  if (isWide(cluster) || cluster.includes("\ufe0f") || cluster.includes("\u200d")) return 2;
  return /^[\p{M}\u200d]/u.test(cluster) ? 0 : 1;
}

function isWide(cluster: string): boolean {
  const code = cluster.codePointAt(0) ?? 0;
  for (let at = 0; code >= (WIDE[at] ?? Number.POSITIVE_INFINITY); at += 2) {
    if (code <= (WIDE[at + 1] ?? 0)) return true;
  }
  return false;
}
