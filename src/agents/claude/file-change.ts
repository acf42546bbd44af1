/** What Claude Code's tools would do to a file. Their input is hostile until it is read here. */
import type { Prompt } from "../../core/model/agent-types.ts";
import type { FileChange } from "../../core/text/file-diff.ts";
import { isObject, text } from "../json-value.ts";
import { notebookChangeOf } from "./notebook-change.ts";

interface Replacement {
  older: string;
  newer: string;
  all: boolean;
}

/** Null if the call changes no file that it names, or makes no sense. */
export function fileChangeOf({ tool, input }: Pick<Prompt, "tool" | "input">): FileChange | null {
  if (!isObject(input)) return null;
  if (tool === "NotebookEdit") return notebookChangeOf(input);
  if (text(input.file_path) === "") return null;
  const path = text(input.file_path);
  if (tool === "Write" && typeof input.content === "string") {
    const { content } = input;
    return { path, after: () => ({ text: content }), parts: [{ before: "", after: content }] };
  }
  const list =
    tool === "Edit" ? [input] : tool === "MultiEdit" && Array.isArray(input.edits) ? input.edits : [];
  const edits = list.map(replacementOf);
  if (edits.length === 0 || edits.includes(null)) return null;
  const all = edits as Replacement[];
  return {
    path,
    after: (before) => replaceAll(before, all),
    parts: all.map(({ older, newer }) => ({ before: older, after: newer })),
  };
}

function replacementOf(edit: unknown): Replacement | null {
  if (!isObject(edit) || typeof edit.old_string !== "string" || typeof edit.new_string !== "string")
    return null;
  return { older: edit.old_string, newer: edit.new_string, all: edit.replace_all === true };
}

/** A small text that replaces many others must not fill the memory. */
const MOST_CHARACTERS = 2_000_000;

/** One after the other, each on what the ones before it made. */
function replaceAll(
  before: string | null,
  edits: readonly Replacement[],
): { text: string } | { misfit: string } {
  let now = before;
  for (const { older, newer, all } of edits) {
    if (older === "") {
      if (now !== null && now.trim() !== "") return { misfit: "the file already has text" };
      now = newer;
      continue;
    }
    if (now === null) return { misfit: "the file does not exist" };
    const times = now.split(older).length - 1;
    if (times === 0) return { misfit: "the text to replace is not in the file" };
    if (times > 1 && !all) return { misfit: "the text to replace is in the file more than once" };
    if (now.length + times * newer.length > MOST_CHARACTERS) return { misfit: "the file would be too large" };
    now = now.split(older).join(newer);
  }
  return { text: now ?? "" };
}
