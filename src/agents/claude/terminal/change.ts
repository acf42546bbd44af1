/** What a dialog shows of a file: numbered lines, or a change to some of them. */
import { bare } from "../../drawn-text.ts";

/** What a dialog is about. */
export interface Subject {
  lines: string[];
  /** Its beginning is on the screen. */
  isWhole: boolean;
}

interface Row {
  /** `+`, `-` or a blank, if it shows a change. */
  sign: string;
  text: string;
}

/** Numbers are right-aligned in a column. The rest of a wrapped line has none. */
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

/** Both sides of a change, and the lines that only one of them has. Some lines that both have may be left out. */
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

/** Every new line is part of the file's new content. */
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

/**
 * Whether this side shows what an edit removes or adds, which may be only part of the lines. Each line must belong to
 * the edit, and both ends of the edit must be there.
 */
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
