/** All keys, in one column, or in two if one is too tall and there is room; it scrolls if neither fits. */
import { KEYS } from "../../inbox/keys.ts";
import { pad, truncate } from "../../text/layout.ts";
import type { Style } from "../../text/style.ts";
import { OWN_KEYS } from "./keys.ts";
import { GLYPHS } from "./list-pane.ts";
import type { Area, Pane } from "./pane.ts";
import { scrolled } from "./pane.ts";

export function helpPane({ height, width }: Area, scroll: number, style: Style): Pane {
  const rows = [
    { keys: "1-9", help: "choose an option; Enter sends it" },
    ...[...KEYS, ...OWN_KEYS].map((it) => ({ keys: it.keys.join(" "), help: it.help })),
  ];
  const line = (it: { keys: string; help: string }, room: number) => {
    const text = truncate(` ${it.keys.padEnd(13)} ${it.help}`, room);
    return style.bold(text.slice(0, 14)) + text.slice(14);
  };
  const half = Math.ceil(rows.length / 2);
  const column = Math.floor(width / 2);
  const isWide = rows.length > height && width >= 90;
  const keys = isWide
    ? rows.slice(0, half).map((it, at) => {
        const other = rows[half + at];
        return pad(line(it, column - 1), column) + (other ? line(other, column) : "");
      })
    : rows.map((it) => line(it, width));
  const glyphs = Object.entries(GLYPHS).map(([source, glyph]) => `${glyph} ${source}`);
  const lines = [
    ...keys,
    "",
    ...legend(
      [...glyphs, "! high", "· low", "- work goes on (--no-wait)", "→ going out", "✓ marked", "×5 alike"],
      width,
    ),
  ];
  const { shown, from, most, step } = scrolled(lines, height, scroll);
  if (from < most) shown[shown.length - 1] = style.dim(`  ↓ ${most - from + 1} more (J, K)`);
  return { lines: shown, most, step, sight: null };
}

/** As many to a line as fit. */
function legend(words: readonly string[], width: number): string[] {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    const next = last === "" ? ` ${word}` : `${last}   ${word}`;
    if (next.length <= width) lines[lines.length - 1] = next;
    else lines.push(` ${word}`);
  }
  return lines;
}
