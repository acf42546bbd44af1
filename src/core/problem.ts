/** A problem in a runbook as plain text: place, message, the line with a caret, a hint. Colours and safety are a terminal's. */

import type { Problem } from "./runbook.ts";

export function formatProblem({ path, line, column, length, message, hint, excerpt }: Problem): string {
  const gutter = `  ${line} | `;
  const before = [...gutter, ...excerpt].slice(0, gutter.length + column - 1).join("");
  const blank = before.replaceAll(/[^\t]/gu, " ");
  const shown = excerpt.trim() === "" ? [] : [gutter + excerpt, blank + "^".repeat(length)];
  const next = hint === undefined ? [] : [`  → ${hint}`];
  return [`✗ ${path}:${line}:${column}  ${message}`, ...shown, ...next].join("\n");
}
