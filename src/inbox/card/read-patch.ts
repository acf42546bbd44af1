/**
 * A patch of several files in the form that coding agents write (`*** Begin Patch`). It is read strictly: text that
 * says anything else is no patch, so that nothing in it can stay unseen.
 */
import type { DiffLine } from "../../core/text/diff.ts";

export interface FilePatch {
  what: "added" | "changed" | "deleted";
  path: string;
  moved_to: string | null;
  lines: DiffLine[];
}

/** Null if it is no such patch, or if a line of it makes no sense. */
export function readPatch(text: string): FilePatch[] | null {
  const [first, ...rest] = text.replaceAll("\r\n", "\n").trimEnd().split("\n");
  if (first !== "*** Begin Patch" || rest.pop() !== "*** End Patch") return null;
  const files: FilePatch[] = [];
  for (const line of rest) {
    const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line);
    const file = files.at(-1);
    if (head)
      files.push({
        what: WHAT[head[1] as keyof typeof WHAT],
        path: head[2] ?? "",
        moved_to: null,
        lines: [],
      });
    else if (!file || !takes(file, line)) return null;
  }
  return files.length === 0 ? null : files;
}

const WHAT = { Add: "added", Update: "changed", Delete: "deleted" } as const;
const KINDS = { "+": "added", "-": "removed", " ": "kept" } as const;

/** Whether the line belongs to the file's patch; then it is part of it. */
function takes(file: FilePatch, line: string): boolean {
  const mark = line.slice(0, 1);
  const moved = /^\*\*\* Move to: (.+)$/.exec(line)?.[1];
  if (file.what === "added") return mark === "+" && put(file, "added", line.slice(1));
  if (file.what === "deleted") return false;
  if (moved !== undefined && file.moved_to === null && file.lines.length === 0) {
    file.moved_to = moved;
    return true;
  }
  if (line === "" || line === "*** End of File" || line.startsWith("@@")) return put(file, "kept", line); // as it is
  return (mark === "+" || mark === "-" || mark === " ") && put(file, KINDS[mark], line.slice(1));
}

function put({ lines }: FilePatch, kind: DiffLine["kind"], text: string): true {
  lines.push({ kind, text });
  return true;
}
