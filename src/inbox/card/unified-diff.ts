/** A diff as git prints it, file by file. */
import { readDiff } from "../../core/text/diff.ts";
import type { Block } from "./card.ts";

/** What has no lines to show (a file that was renamed, or is no text) is shown as git says it. */
export function unifiedDiff(text: string): Block[] {
  const files = text.split(/^(?=diff --git )/m).filter((it) => it.trim() !== "");
  return files.map((file): Block => {
    const lines = file.trimEnd().split("\n");
    const hunks = lines.findIndex((it) => it.startsWith("@@"));
    if (hunks < 0) return { type: "printed", label: "Changed", text: file.trimEnd() };
    return { type: "diff", path: pathOf(lines), lines: readDiff(lines.slice(hunks).join("\n")) };
  });
}

/** The new name of the file; the old one if it is gone. */
function pathOf(lines: readonly string[]): string | null {
  const named = (sign: string) => lines.find((it) => it.startsWith(`${sign} `))?.slice(4);
  const [fresh, old] = [named("+++"), named("---")];
  const path = fresh === "/dev/null" ? old : fresh;
  return path?.replace(/^[ab]\//, "") ?? /^diff --git .* b\/(.*)$/.exec(lines[0] ?? "")?.[1] ?? null;
}
