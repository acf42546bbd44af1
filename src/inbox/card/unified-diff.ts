/** A diff as git prints it, file by file. */
import type { Block, DiffLine } from "./card.ts";

/** Text that is no diff becomes one block without a path, so nothing is lost. */
export function unifiedDiff(text: string): Block[] {
  const files = text.split(/^(?=diff --git )/m).filter((it) => it.trim() !== "");
  return files.map((file): Block => {
    const lines = file.trimEnd().split("\n");
    const hunks = lines.findIndex((it) => it.startsWith("@@"));
    const body = lines.slice(hunks < 0 ? (pathOf(lines) === null ? 0 : 1) : hunks);
    return { type: "diff", path: pathOf(lines), lines: body.map(diffLine) };
  });
}

/** The new name of the file; the old one if it is gone. */
function pathOf(lines: readonly string[]): string | null {
  const named = (sign: string) => lines.find((it) => it.startsWith(`${sign} `))?.slice(4);
  const [fresh, old] = [named("+++"), named("---")];
  const path = fresh === "/dev/null" ? old : fresh;
  return path?.replace(/^[ab]\//, "") ?? /^diff --git .* b\/(.*)$/.exec(lines[0] ?? "")?.[1] ?? null;
}

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = { "+": "added", "-": "removed", "@": "gap" };

/** `@@ -1,4 +1,5 @@ function total()`: where the lines are from says more than how many were left out. */
function diffLine(line: string): DiffLine {
  const kind = KINDS[line.slice(0, 1)] ?? "kept";
  if (kind !== "gap") return { kind, text: line.slice(1) };
  const [, from, where = ""] = /^@@ [^+]*\+(\d+)[^@]*@@ ?(.*)$/.exec(line) ?? [];
  return { kind, text: from === undefined ? line : `line ${from}${where === "" ? "" : `: ${where}`}` };
}
