/** Here-documents: the delimiter on the line of the command, the body after that line. */
import { addFlow } from "./flow.ts";
import { HOLE } from "./hole.ts";
import { takeQuoted } from "./lexer.ts";
import type { Heredoc, Scan } from "./scan.ts";
import { scanInside, takeHole, unclear } from "./scan.ts";

/**
 * Takes the delimiter after `<<` or `<<-`. Bash expands nothing
 * in it, and a quote anywhere in it makes the body literal.
 */
export function takeDelimiter(scan: Scan, dash: boolean): void {
  const start = scan.at;
  let delimiter = "";
  let quoted = false;
  const pattern = /'([^']*)'|"([^"\\$`]*)"|\\([^\n])|([^ \t\n;&|<>()'"\\$`]+)/y;
  pattern.lastIndex = start;
  for (let part = pattern.exec(scan.text); part; part = pattern.exec(scan.text)) {
    scan.at = pattern.lastIndex;
    quoted ||= part[4] === undefined;
    delimiter += part[1] ?? part[2] ?? part[3] ?? part[4];
  }
  const isWhole = scan.at > start && /^[ \t\n;&|<>()]?$/.test(scan.text[scan.at] ?? "");
  if (!isWhole || delimiter.includes(HOLE)) throw unclear(scan, "a here-document with an unusual delimiter");
  const { input, bodies, documents } = scan;
  scan.heredocs.push({ start, end: scan.at, delimiter, quoted, dash, input, bodies, documents });
}

/** Takes a newline, and the bodies that begin after it. */
export function takeNewline(scan: Scan): void {
  if (scan.awaited) throw unclear(scan, "a substitution over several lines next to a here-document");
  scan.at++;
  const heredocs = scan.heredocs;
  scan.heredocs = [];
  for (const heredoc of heredocs) takeBody(scan, heredoc);
}

function takeBody(scan: Scan, heredoc: Heredoc): void {
  const start = scan.at;
  const end = findEnd(scan, heredoc);
  const next = scan.at;
  const body = scan.text.slice(start, end);
  heredoc.documents.push(body);
  if (heredoc.quoted) {
    if (body.includes(HOLE)) openQuoted(scan, heredoc, start, end);
    else heredoc.bodies.push(body);
  } else {
    const inside = scanInside(scan, body, start);
    while (inside.at < body.length) takeQuoted(inside);
    addFlow(heredoc.input, inside.flow);
    for (const edit of inside.edits) {
      edit.start += start;
      edit.end += start;
    }
    scan.edits.push(...inside.edits);
  }
  scan.at = next;
}

/** Finds where the body ends and moves past the delimiter. The end of the script also ends a body. */
function findEnd(scan: Scan, { delimiter, quoted, dash }: Heredoc): number {
  while (scan.at < scan.text.length) {
    const start = scan.at;
    let line = takeLine(scan);
    while (!quoted && /(?<!\\)(?:\\\\)*\\$/.test(line) && scan.at < scan.text.length) {
      line = line.slice(0, -1) + takeLine(scan);
    }
    if (dash) line = line.replace(/^\t+/, "");
    if (line === delimiter) return start;
    // Inside $(…), bash lets such a line end both the body and the substitution; versions differ on what follows.
    if (scan.depth > 1 && line.startsWith(delimiter) && line.includes(")")) {
      throw unclear(scan, "a here-document whose delimiter is not alone on its line");
    }
  }
  if (scan.depth > 1) throw unclear(scan, "a here-document that is not closed");
  return scan.text.length;
}

function takeLine(scan: Scan): string {
  const newline = scan.text.indexOf("\n", scan.at);
  const end = newline === -1 ? scan.text.length : newline;
  const line = scan.text.slice(scan.at, end);
  scan.at = end + 1;
  return line;
}

/**
 * Nothing expands in the body of `<<'EOF'`. To let a value expand there, the
 * quotes are removed and everything else that would expand is escaped.
 */
function openQuoted(scan: Scan, { start, end, delimiter, input }: Heredoc, from: number, to: number): void {
  const { flow } = scan;
  scan.flow = input;
  if (!/^[\w.-]+$/.test(delimiter)) throw unclear(scan, "a quoted here-document with an unusual delimiter");
  scan.edits.push({ type: "patch", start, end, text: delimiter });
  for (scan.at = from; scan.at < to; ) {
    if (scan.text[scan.at] === HOLE) takeHole(scan, "double");
    else {
      if (/[\\$`]/.test(scan.text[scan.at] ?? ""))
        scan.edits.push({ type: "patch", start: scan.at, end: scan.at, text: "\\" });
      scan.at++;
    }
  }
  scan.flow = flow;
}
