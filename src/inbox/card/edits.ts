/** Edits of a file in a tool's input: texts that are replaced by others. */
import { readDiff, unifiedDiff } from "../../core/text/diff.ts";
import type { Block } from "./card.ts";
import { valueBlocks } from "./values.ts";

export type Input = Readonly<Record<string, unknown>>;

export interface Changed {
  blocks: Block[];
  /** What the blocks don't show. */
  rest: Input;
}

/** One edit, or a list of them; null if it is neither. */
export function editsOf(input: Input): Changed | null {
  const { file_path: path, ...change } = input;
  if (typeof path !== "string") return null;
  const one = editOf(change, path);
  if (one) return one;
  const { edits, ...rest } = change;
  if (!Array.isArray(edits) || edits.length === 0) return null;
  const all = edits.map((it) => (isInput(it) ? editOf(it, path) : null));
  const known = all.filter((it) => it !== null);
  if (known.length < all.length) return null;
  // what one of them has besides is shown with it, not in a heap at the end
  return { blocks: known.flatMap((it) => [...it.blocks, ...valueBlocks(it.rest)]), rest };
}

export function isInput(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function editOf(input: Input, path: string): Changed | null {
  const { old_string: before, new_string: after, ...rest } = input;
  if (typeof before !== "string" || typeof after !== "string") return null;
  const { replace_all, ...others } = rest;
  const lines = readDiff(unifiedDiff(whole(before), whole(after)));
  return { blocks: [{ type: "diff", path, lines }], rest: replace_all === false ? others : rest };
}

/** A part of a file rarely ends with its last line: the newline that is missing here is not missing there. */
function whole(text: string): string {
  return text === "" ? "" : `${text}\n`;
}
