/**
 * The blocks of a card in lines. What others said or printed is behind a thin bar, the exact action behind a thick one;
 * left of a bar there are only words of ours, so nothing from outside can pass for them.
 */
import { never } from "../../core/model/errors.ts";
import type { DiffLine } from "../../core/text/diff.ts";
import { fieldsText } from "../../core/text/fields-text.ts";
import type { Block } from "../../inbox/card/card.ts";
import { pad, truncate, widthOf, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { codeLines } from "./code-lines.ts";
import type { Fence } from "./fence.ts";
import { fence } from "./fence.ts";

type Code = Extract<Block, { type: "code" }>;

/** Short values that follow each other are rows of one table. */
export function blockLines(blocks: readonly Block[], look: Fence): string[] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1)?.at(-1);
    if (last && isRow(last, look) && isRow(block, look)) groups.at(-1)?.push(block);
    else groups.push([block]);
  }
  return groups.flatMap((it, at) => [...(at === 0 ? [] : [""]), ...groupLines(it, look)]);
}

function groupLines(group: readonly Block[], look: Fence): string[] {
  const [first] = group;
  if (!first) return [];
  return isRow(first, look)
    ? rowLines(
        group.filter((it) => it.type === "code"),
        look,
      )
    : linesOf(first, look);
}

function linesOf(block: Block, look: Fence): string[] {
  const { style, width } = look;
  switch (block.type) {
    case "ours":
      return wrap(safe(block.text), width - 2).map((line) => `  ${line}`.trimEnd());
    case "said":
      return [label(block.by, look), ...fence(safe(block.text).replace(/^\n+|\s+$/g, ""), look)];
    case "fields":
      return [label(block.by, look), ...fence(safe(fieldsText({ ...block.fields })), look)];
    case "printed":
      return [label(block.label, look), ...fence(safe(block.text.trimEnd()), look)];
    case "code":
      return [
        ...(block.label === null ? [] : [label(block.label, look)]),
        ...codeLines(block.language, safe(block.text), look).map((it) => `  ${thick(look)} ${it}`.trimEnd()),
      ];
    case "diff":
      return [
        ...(block.path === null
          ? []
          : [...rowLines([{ label: "file", language: "text", text: block.path }], look), ""]),
        ...block.lines
          .flatMap((it) => diffLines(it, look))
          .map((it) => `  ${style.yellow("┃")} ${it}`.trimEnd()),
      ];
    default:
      return never(block);
  }
}

function thick({ style }: Fence): string {
  return style.yellow("┃");
}

function label(text: string, { style, width }: Fence): string {
  return style.dim(`  ${truncate(safeLine(text), width - 2)}`);
}

/** A name and its value on one line: neither may be long. */
function isRow(block: Block, { width }: Fence): boolean {
  if (block.type !== "code" || block.label === null || block.text.includes("\n")) return false;
  return widthOf(safeLine(block.label)) <= Math.min(20, width / 3) && block.text.length <= width * 3;
}

function rowLines(rows: readonly Pick<Code, "label" | "language" | "text">[], look: Fence): string[] {
  const names = rows.map((it) => safeLine(it.label ?? ""));
  const column = Math.max(...names.map(widthOf));
  return rows.flatMap(({ language, text }, at) =>
    codeLines(language, safeLine(text), { ...look, width: look.width - column - 2 }).map((it, index) => {
      const name = index === 0 ? (names[at] ?? "") : "";
      return `  ${look.style.dim(pad(name, column))}  ${thick(look)} ${it}`.trimEnd();
    }),
  );
}

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { kept: " ", removed: "-", added: "+", gap: "…" };

function diffLines({ kind, text }: DiffLine, look: Fence): string[] {
  const { style } = look;
  const paint = { kept: (it: string) => it, removed: style.red, added: style.green, gap: style.dim }[kind];
  const lines = codeLines("text", safe(text), { ...look, width: look.width - 2, style: PLAIN });
  return lines.map((it) => paint(`${SIGNS[kind]} ${it}`.trimEnd()));
}

const same = (text: string) => text;
/** A line of a diff has one colour. */
const PLAIN: Fence["style"] = { bold: same, dim: same, red: same, yellow: same, green: same, cyan: same };
