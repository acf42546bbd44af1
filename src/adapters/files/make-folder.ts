/** Makes a folder that is ours alone, and those above it. */
import fs from "node:fs";
import path from "node:path";

/**
 * Folder by folder: Node's own recursive form loops forever where a part can't be created, as in /proc. Another daemon
 * that starts at the same moment may be faster.
 */
export function makeFolder(folder: string, files: Pick<typeof fs, "existsSync" | "mkdirSync"> = fs): void {
  if (files.existsSync(folder)) return;
  makeFolder(path.dirname(folder), files);
  try {
    files.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
