/** What a dialog shows of a file: numbered lines, or a change of some of them. */
import { bare } from "./text.ts";

/** What a dialog is about. */
export interface Subject {
  lines: string[];
  /** Its beginning is on the screen. */
  isWhole: boolean;
}

interface Row {
  /** `+`, `-` or a blank, where it shows a change. */
  sign: string;
  text: string;
}

/** Numbers stand to the right in a column; what a line was wrapped to has none. */
function rowsOf({ lines }: Subject, hasSigns: boolean): Row[] {
  const width = Math.min(...lines.flatMap((line) => /^\s*\d+(?= |$)/.exec(line)?.[0].length ?? []));
  const rows: Row[] = [];
  for (const line of lines) {
    const [head, rest] = [line.slice(0, width), line.slice(width + 1)];
    const row = hasSigns ? { sign: rest[0] ?? " ", text: rest.slice(1) } : { sign: " ", text: rest };
    const last = rows.at(-1);
    if (head.trim() === "" && last?.sign === row.sign) last.text += `\n${row.text}`;
    else rows.push(row);
  }
  return rows;
}

export function numbered(subject: Subject): string[] {
  return rowsOf(subject, false).flatMap((it) => it.text.split("\n"));
}

/** Both sides of a change, and the lines that each has alone. Some of those that both have may be left out. */
function sidesOf(subject: Subject) {
  const rows = rowsOf(subject, true);
  const side = (sign: string, other: string): Side => ({
    whole: bare(rows.flatMap((it) => (it.sign === other ? [] : [it.text])).join("\n")),
    own: rows.flatMap((it) => (it.sign === sign ? [bare(it.text)] : [])),
  });
  return { before: side("-", "+"), after: side("+", "-") };
}

interface Side {
  whole: string;
  own: string[];
}

/** Every new line is of the file as it is to be. */
export function showsChange(subject: Subject, content: string): boolean {
  const { after } = sidesOf(subject);
  const file = bare(content);
  return after.whole !== "" && after.own.every((line) => file.includes(line));
}

export function showsEdit(subject: Subject, older: string, newer: string): boolean {
  const { before, after } = sidesOf(subject);
  return (
    before.own.length + after.own.length > 0 &&
    isSide(before, subject, older) &&
    isSide(after, subject, newer)
  );
}

/** What an edit takes away or puts in, which may be a part of its lines: no line is there without it, and its ends are. */
function isSide({ whole, own }: Side, { isWhole }: Subject, text: string): boolean {
  const lines = text
    .split("\n")
    .map(bare)
    .filter((line) => line !== "");
  const [first = "", last = ""] = [lines.at(0), lines.at(-1)];
  const all = lines.join("");
  const isOurs = (line: string) =>
    all.includes(line) || [first, last].some((it) => it !== "" && line.includes(it));
  return own.every(isOurs) && (!isWhole || (whole.includes(first) && whole.includes(last)));
}
