/** The options of a decision, each with what it does. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import { effectOf, isOurs } from "../../inbox/card/words.ts";
import { hang, pad, widthOf, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Fence } from "./fence.ts";

interface Row {
  option: OptionView;
  isChosen: boolean;
  label: string;
  description: string;
  effect: string;
}

/** One line each if they fit, with what each does in a column. What all of them do alike is said once, below them. */
export function optionList(decision: DecisionView, look: Fence): string[] {
  const { options, answer } = decision;
  const effects = new Set(options.map((it) => it.effect));
  const [common = ""] = !isOurs(decision) && effects.size === 1 && options.length > 1 ? effects : [];
  const rows = options.map((option): Row => {
    return {
      option,
      isChosen: answer?.choices.flat().includes(option.number) ?? false,
      label: safeLine(option.label),
      description: safe(option.description ?? ""),
      effect: common === "" ? safe(effectOf(decision, option)) : "",
    };
  });
  const lines = inColumns(rows, look) ?? rows.flatMap((it) => optionLines(it, look));
  return common ? [...lines, ...hang("     → ", safe(common), look.width).map(look.style.dim)] : lines;
}

const RECOMMENDED = "  recommended";

/** Null if one of them needs more than a line. */
function inColumns(rows: readonly Row[], { style, width }: Fence): string[] | null {
  if (rows.some((it) => `${it.description}${it.effect}`.includes("\n"))) return null;
  const cells = rows.map((it) => [it.label, it.description, it.effect === "" ? "" : `→ ${it.effect}`]);
  const widths = [0, 1, 2].map((at) => Math.max(...cells.map((it) => widthOf(it[at] ?? ""))));
  const used = widths.filter((it) => it > 0).reduce((sum, it) => sum + it + 2, 5);
  const note = rows.some((it) => it.option.recommended) ? RECOMMENDED.length : 0;
  if (used + note > width) return null;
  const paint = [style.bold, (it: string) => it, style.dim];
  return rows.map((row, at) => {
    const own = cells[at] ?? [];
    const last = own.findLastIndex((it) => it !== "");
    const told = own.slice(0, last + 1).flatMap((cell, column) => {
      const wide = widths[column] ?? 0;
      return wide === 0 ? [] : [paint[column]?.(column === last ? cell : pad(cell, wide)) ?? cell];
    });
    const end = row.option.recommended ? style.dim(RECOMMENDED) : "";
    const head = `  ${style.bold(String(row.option.number))}  ${markOf(row, style)} `;
    return `${head}${told.join("  ")}${end}`;
  });
}

function optionLines(row: Row, { style, width }: Fence): string[] {
  const { number, recommended } = row.option;
  const [label = "", ...more] = wrap(row.label, width - 9 - (recommended ? RECOMMENDED.length : 0));
  const note = recommended ? style.dim(RECOMMENDED) : "";
  const indented = (text: string, first: string) =>
    text === "" ? [] : wrap(text, width - 9).map((line, at) => `     ${at === 0 ? first : " "} ${line}`);
  return [
    `  ${style.bold(String(number))}  ${markOf(row, style)} ${style.bold(label)}${more.length === 0 ? note : ""}`,
    ...more.map((line, at) => `       ${style.bold(line)}${at === more.length - 1 ? note : ""}`),
    ...indented(row.description, " "),
    ...indented(row.effect, "→").map(style.dim),
  ];
}

function markOf({ option, isChosen }: Row, style: Fence["style"]): string {
  return isChosen ? style.green("✓") : option.recommended ? style.yellow("★") : " ";
}
