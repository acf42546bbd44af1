/** Patches in a tool's input, file by file: as a coding agent writes them, or as its client compared the files. */
import { readDiff } from "../../core/text/diff.ts";
import type { Block } from "./card.ts";
import type { Changed, Input } from "./edits.ts";
import type { FilePatch } from "./read-patch.ts";
import { readPatch } from "./read-patch.ts";

/** Null if the input is no patch, or if showing it as one would leave out a line of it. */
export function patchOf(tool: string, input: Input): Changed | null {
  const { command, diff, ...others } = input;
  // the same text as the command of a shell is another thing
  if (tool === "apply_patch" && typeof command === "string") {
    const files = readPatch(command);
    return (
      files && {
        blocks: files.flatMap(fileBlocks),
        rest: { ...others, ...(diff === undefined ? {} : { diff }) },
      }
    );
  }
  if (tool !== "edit" || command !== undefined || typeof diff !== "string") return null;
  const blocks = comparedIn(diff);
  if (blocks === null) return null;
  const [only] = blocks;
  const isNamed = blocks.length === 1 && only?.type === "diff" && only.path === others.file_path;
  const { file_path: _, ...rest } = others;
  return { blocks, rest: isNamed ? rest : others };
}

function fileBlocks({ what, path, moved_to, lines }: FilePatch): Block[] {
  const shown: Block = { type: "diff", path, lines };
  const named = (label: string, text: string): Block => ({ type: "printed", label, text });
  if (what === "deleted") return [named("Deleted", path)];
  if (what === "added") return [{ type: "ours", text: "A new file:" }, shown];
  return moved_to === null ? [shown] : [shown, named("Moved to", moved_to)];
}

/** `Index: PATH`, a ruler, `--- PATH`, `+++ PATH`, hunks; again for each file. */
function comparedIn(text: string): Block[] | null {
  const files = text.split(/^(?=Index: .*\n=+\n--- )/m).filter((it) => it.trim() !== "");
  const blocks = files.map(comparedFile);
  return blocks.length === 0 || blocks.includes(null) ? null : (blocks as Block[]);
}

function comparedFile(file: string): Block | null {
  const [, path = "", hunks] = /^Index: (.*)\n=+\n--- .*\n\+\+\+ .*\n(@@ [\s\S]*)$/.exec(file) ?? [];
  if (hunks === undefined) return null;
  const lines = hunks.trimEnd().split("\n");
  if (!lines.every((it) => /^(@@ -\d+(,\d+)? \+\d+(,\d+)? @@$|[ +\\-])/.test(it))) return null;
  return { type: "diff", path, lines: readDiff(lines.join("\n")) };
}
