/** What Claude Code's NotebookEdit would do to a cell. Both its input and the notebook are hostile until read here. */
import type { FileChange } from "../../core/text/file-diff.ts";
import { isObject, text } from "../json-value.ts";

const MODES = ["replace", "insert", "delete"] as const;
type Mode = (typeof MODES)[number];

/** Null if the call makes no sense. */
export function notebookChangeOf(input: Record<string, unknown>): FileChange | null {
  const { new_source, cell_id = "", edit_mode = "replace" } = input;
  const path = text(input.notebook_path);
  const mode = MODES.find((it) => it === edit_mode);
  if (path === "" || typeof new_source !== "string" || typeof cell_id !== "string" || !mode) return null;
  const after = mode === "delete" ? "" : new_source;
  return {
    path,
    after(notebook) {
      const before =
        notebook === null ? { misfit: "the file does not exist" } : cellOf(notebook, cell_id, mode);
      return "misfit" in before ? before : { text: whole(after), in_place_of: whole(before.text) };
    },
    parts: [{ before: "", after }],
  };
}

/** The source that is replaced; an inserted cell replaces nothing. */
function cellOf(notebook: string, id: string, mode: Mode): { text: string } | { misfit: string } {
  const cells = cellsIn(notebook);
  if (cells === null) return { misfit: "the file is not a notebook" };
  if (mode === "insert" && id === "") return { text: "" };
  const named = cells.find((it) => it.id === id) ?? cells[Number(/^cell-(\d+)$/.exec(id)?.[1])];
  const source = named && sourceOf(named);
  if (typeof source !== "string") return { misfit: "the notebook has no such cell" };
  return { text: mode === "insert" ? "" : source };
}

function cellsIn(notebook: string): Record<string, unknown>[] | null {
  try {
    const { cells } = JSON.parse(notebook);
    return Array.isArray(cells) && cells.every(isObject) ? cells : null;
  } catch {
    return null;
  }
}

/** The last line of a cell has no newline, and misses none. */
function whole(source: string): string {
  return source === "" ? "" : `${source}\n`;
}

/** Its lines are a text, or a list of texts. */
function sourceOf({ source }: Record<string, unknown>): string | null {
  if (typeof source === "string") return source;
  return Array.isArray(source) && source.every((it) => typeof it === "string") ? source.join("") : null;
}
