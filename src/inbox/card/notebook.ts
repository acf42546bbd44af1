/** The change of a notebook's cell in a tool's input, as it shows in the cell. */
import type { FileDiff } from "../../core/model/decision-types.ts";
import { readDiff } from "../../core/text/diff.ts";
import type { Changed, Input } from "./edits.ts";
import { valueBlocks } from "./values.ts";

/** Null if the input is no such change, or only a part of it is known: then the input is shown instead. */
export function cellChangeOf(input: Input, diff: FileDiff): Changed | null {
  const { notebook_path, new_source, edit_mode = "replace", cell_type = "", cell_id, ...rest } = input;
  const what = sentence(edit_mode, cell_type, typeof cell_id === "string");
  if (notebook_path !== diff.path || typeof new_source !== "string" || what === null) return null;
  const ignored = edit_mode === "delete" && new_source !== "" ? { new_source } : {};
  return {
    blocks: [
      { type: "ours", text: what },
      ...(cell_id === undefined ? [] : valueBlocks({ cell_id })),
      { type: "diff", path: diff.path, lines: readDiff(diff.text) },
    ],
    rest: { ...rest, ...ignored },
  };
}

function sentence(mode: unknown, type: unknown, isNamed: boolean): string | null {
  const kind = ["code", "markdown"].find((it) => it === type);
  if (type !== "" && kind === undefined) return null;
  const cell = kind === undefined ? "cell" : `${kind} cell`;
  if (mode === "insert")
    return isNamed ? `Adds a ${cell} after this one:` : `Adds a ${cell} at the beginning.`;
  if (mode === "delete") return `Deletes this ${cell}:`;
  return mode === "replace" ? `Changes this ${cell}:` : null;
}
