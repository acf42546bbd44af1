/** Text in columns: measuring, wrapping, cutting, aligning. It takes safe text; colours are added afterwards. */

import { eastAsianWidth } from "get-east-asian-width";
import { SIMPLE } from "./safe.ts";

const TAB = 8;
const ESCAPE = "\u001b";
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g");

/** How many columns the text takes on a terminal. Our own colours take none. */
export function widthOf(text: string): number {
  const plain = uncoloured(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const cluster of clusters(plain)) width += cluster.width;
  return width;
}

/** The text without our own colours. */
export function uncoloured(text: string): string {
  return text.includes(ESCAPE) ? text.replace(COLOUR, "") : text;
}

/** Pads with spaces to the width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Cuts to the width, and shows that with an ellipsis. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? "" : `${splitAt(text, width - 1)[0]}…`;
}

/**
 * Lines no wider than `width`. Each line of the text keeps its indentation, also where it continues; words longer than
 * a line are broken, so nothing is lost.
 */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(expandTabs(line.trimEnd()), Math.max(10, width)));
}

/** A line in parts no wider than `width`, broken after a space if there is one. The parts joined are the line. */
export function breakLine(line: string, width: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (widthOf(rest) > width) {
    const [head] = splitAt(rest, width);
    const space = head.lastIndexOf(" ") + 1;
    const end = head.slice(0, space).trim() === "" ? Math.max(1, head.length) : space;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest === "" && parts.length > 0 ? parts : [...parts, rest];
}

/** Like `wrap`, with one prefix for the first line and another for the lines that follow. */
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
  /** The last column is cut to what is left of this width; without it, nothing is cut. */
  width?: number | undefined;
  /** If less than this is left for the last column, it moves to a line of its own. */
  room?: number;
  /** The first row is a heading: its last column never gets a line of its own. */
  heading?: boolean;
  /** More lines below each row, as they are. */
  below?: readonly (readonly string[])[];
  /** Colours a padded cell. */
  paint?: (cell: string, row: number, column: number) => string;
}

/** A table is cut to the terminal's width, but not if it goes to a file or another program. */
export function tableWidth({
  isTerminal,
  width,
}: {
  isTerminal: boolean;
  width: number;
}): number | undefined {
  return isTerminal ? width : undefined;
}

/** Aligned columns with two spaces between them and nothing after the last. */
export function table(
  rows: readonly (readonly string[])[],
  {
    width = Number.POSITIVE_INFINITY,
    room = 0,
    heading = false,
    below = [],
    paint = (cell) => cell,
  }: TableInput = {},
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
    const more = below[at] ?? [];
    if (!isBelow) return [[...cells, paint(text, at, last)].join("  ").trimEnd(), ...more];
    return [
      cells.join("  ").trimEnd(),
      ...(text === "" || (heading && at === 0) ? [] : [`    ${paint(text, at, last)}`]),
      ...more,
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

/** The longest beginning that fits, and the rest. */
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

/** One line with spaces in place of its tabs. */
export function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  return line.split("\t").reduce((text, part) => text + " ".repeat(TAB - (widthOf(text) % TAB)) + part);
}

/** Letters with their marks, and emoji with whatever is joined to them. */
export function* clusters(text: string): Generator<{ text: string; width: number }> {
  if (EACH_ALONE.test(text)) {
    for (const letter of text) yield { text: letter, width: isWide(letter) ? 2 : 1 };
    return;
  }
  for (const [cluster] of text.matchAll(CLUSTER())) yield { text: cluster, width: clusterWidth(cluster) };
}

const EACH_ALONE = new RegExp(`^[${SIMPLE}]*$`);
const EMOJI = "\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}]?\\ufe0f?";
/** Vowels and final consonants that join the letter before them: macOS writes Korean file names that way. */
const JAMO = "\\u1160-\\u11ff\\ud7b0-\\ud7ff";
/** Built only when needed: it takes milliseconds. */
const CLUSTER = () =>
  new RegExp(`\\p{RI}\\p{RI}|${EMOJI}(?:\\u200d${EMOJI})*|[\\s\\S][\\p{M}${JAMO}]*`, "gu");

function clusterWidth(cluster: string): number {
  if (isWide(cluster) || cluster.includes("\ufe0f") || cluster.includes("\u200d")) return 2;
  return /^[\p{M}\u200d]/u.test(cluster) ? 0 : 1;
}

/** Each of a flag's two letters is narrow; together they show as one wide picture. */
function isWide(cluster: string): boolean {
  const code = cluster.codePointAt(0) ?? 0;
  return eastAsianWidth(code) === 2 || (code >= 0x1f1e6 && code <= 0x1f1ff);
}
