/** The exact action of an agent as blocks. Every value of its input is shown, the telling ones in their own form. */
import type { DecisionView } from "../../api/api.ts";
import type { Block } from "./card.ts";
import { nameOf } from "./field-names.ts";
import { lineDiff } from "./line-diff.ts";

type Input = Readonly<Record<string, unknown>>;

export function actionBlocks({ action, source }: DecisionView): Block[] {
  if (!action) return [];
  const { input } = action;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [value("input", input)];
  return source === "plan" ? planBlocks(input as Input) : inputBlocks(input as Input);
}

function planBlocks(input: Input): Block[] {
  const { plan, ...rest } = input;
  if (typeof plan !== "string") return inputBlocks(input);
  return [{ type: "said", by: "The agent's plan", text: plan }, ...inputBlocks(rest)];
}

/** A command, an edit or a new file first; whatever else there is follows, by name. */
function inputBlocks(input: Input): Block[] {
  const { command, ...options } = input;
  if (typeof command === "string")
    return [{ type: "code", label: null, language: "shell", text: command }, ...valuesOf(options)];
  const { file_path: path, ...change } = input;
  const changed = typeof path === "string" ? editsOf(change, path) : editsOf(input, null);
  return changed ? [...changed.blocks, ...valuesOf(changed.rest)] : valuesOf(input);
}

interface Changed {
  blocks: Block[];
  /** What the blocks don't show. */
  rest: Input;
}

/** One edit, or a list of them; null if it is neither. */
function editsOf(input: Input, path: string | null): Changed | null {
  const one = editOf(input, path);
  if (one) return one;
  const { edits, ...rest } = input;
  if (!Array.isArray(edits) || edits.length === 0) return null;
  const all = edits.map((it) => (isInput(it) ? editOf(it, path) : null));
  if (all.some((it) => it === null)) return null;
  return { blocks: all.flatMap((it) => [...(it?.blocks ?? []), ...valuesOf(it?.rest ?? {})]), rest };
}

function editOf(input: Input, path: string | null): Changed | null {
  const { old_string: before, new_string: after, ...rest } = input;
  if (typeof before !== "string" || typeof after !== "string") return null;
  const { replace_all, ...others } = rest;
  return {
    blocks: [{ type: "diff", path, lines: lineDiff(before, after) }],
    rest: replace_all === false ? others : rest,
  };
}

function isInput(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valuesOf(input: Input): Block[] {
  return Object.entries(input).map(([key, it]) => value(nameOf(key), it));
}

function value(label: string, it: unknown): Block {
  return typeof it === "string"
    ? { type: "code", label, language: "text", text: it }
    : { type: "code", label, language: "json", text: JSON.stringify(it, null, 2) ?? "undefined" };
}
