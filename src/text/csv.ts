/**
 * Rows as CSV (RFC 4180: quotes doubled, lines end with CRLF). A spreadsheet would run a cell that begins like a
 * formula, so such a cell gets an apostrophe in front, which spreadsheets show as text.
 */
import { safe } from "./safe.ts";

/** How a formula, or a command hidden in one, begins; also in full width, and after blanks that some programs skip. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  const shown = safe(harmless);
  return /[",\r\n]/.test(shown) || shown !== shown.trim() ? `"${shown.replaceAll('"', '""')}"` : shown;
}
