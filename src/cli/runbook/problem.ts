/** One problem of a runbook, as a person reads it: place, what is wrong, the line, a caret, and what to do. */
import type { Problem } from "../../core/model/runbook.ts";
import { widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";

export function renderProblem(problem: Problem, style: Style, width: number, isWarning = false): string {
  const { line, column, message, hint } = problem;
  const place = style.bold(`${safeLine(problem.path)}:${line}:${column}`);
  const mark = isWarning ? style.yellow("!") : style.red("✗");
  const lines = [`${mark} ${place}  ${safeLine(message)}`, ...excerptLines(problem, style, width)];
  if (hint) lines.push(`  ${style.cyan("→")} ${safeLine(hint)}`);
  return lines.join("\n");
}

function excerptLines({ line, column, length, excerpt }: Problem, style: Style, width: number): string[] {
  if (excerpt.trim() === "") return [];
  const gutter = `  ${line} | `;
  const letters = [...excerpt];
  const { from, to } = window(column - 1, letters.length, Math.max(20, width - gutter.length - 2));
  // A tab has no width of its own, so the caret could not be put under the right place.
  const show = (start: number, end: number) =>
    safeLine(letters.slice(start, end).join("").replaceAll("\t", "  "));
  const [left, right] = [from > 0 ? "…" : "", to < letters.length ? "…" : ""];
  const before = widthOf(gutter + left + show(from, column - 1));
  const marked = widthOf(show(column - 1, Math.min(column - 1 + length, to)));
  const text = `${style.dim(gutter)}${left}${show(from, to)}${right}`;
  return [text, " ".repeat(before) + style.red("^".repeat(Math.max(1, marked)))];
}

/** The part of a long line that has the place in it. */
function window(at: number, length: number, most: number): { from: number; to: number } {
  if (length <= most) return { from: 0, to: length };
  const from = Math.max(0, Math.min(at - Math.floor(most / 3), length - most));
  return { from, to: from + most };
}
