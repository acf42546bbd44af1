/**
 * Menus without numbers: what the client asks when it starts (trust, API key, bypassed permissions, theme), and pages
 * that want Enter.
 */

import type { ShownDialog, ShownOption } from "./dialog.ts";
import { bodyAbove, FOOTER, isWelcome } from "./lines.ts";

export function menuOn(lines: string[]): ShownDialog | null {
  const rows = rowsOf(lines);
  return rows ? menu(lines, rows) : page(lines);
}

const CURSOR = /^\s*❯\s+\S/;

/** The first and last line of the options: the row with the cursor, and the lines right above and below it. */
function rowsOf(lines: string[]): { first: number; last: number } | null {
  const at = lines.findLastIndex((line) => CURSOR.test(line));
  const isMenu = FOOTER.test(lines.at(-1) ?? "") ? at >= lines.length - 6 : isWelcome(lines);
  if (at < 0 || !isMenu) return null;
  let first = at;
  let last = at;
  while ((lines[first - 1] ?? "").trim() !== "") first--;
  while ((lines[last + 1] ?? "").trim() !== "") last++;
  return last > first ? { first, last } : null;
}

function menu(lines: string[], { first, last }: { first: number; last: number }): ShownDialog {
  const options = lines
    .slice(first, last + 1)
    .map((line) => option(line.replace(/^[\s❯✔]*/, "").trim(), CURSOR.test(line)));
  const body = bodyAbove(lines, first);
  const kind = /trust/i.test([...body, ...options.map((it) => it.label)].join("\n")) ? "trust" : "other";
  return { kind, body, options, next: null, amending: false, clipped: false };
}

function page(lines: string[]): ShownDialog | null {
  if (!/^\s*Press Enter to continue/.test(lines.at(-1) ?? "")) return null;
  const body = bodyAbove(lines, lines.length - 1);
  return {
    kind: "other",
    body,
    options: [option("Continue", true)],
    next: null,
    amending: false,
    clipped: false,
  };
}

function option(label: string, selected: boolean): ShownOption {
  return { number: null, label, text: label, selected, ticked: null };
}
