/** The beginning or the end of a file that somebody else named: a file only, as reading from a pipe or a device might never end. */
import fs from "node:fs/promises";
import path from "node:path";

export function beginningOf(file: string, bytes: number): Promise<string> {
  return part(file, bytes, () => 0);
}

export function endOf(file: string, bytes: number): Promise<string> {
  return part(file, bytes, (size) => Math.max(0, size - bytes));
}

const MOST_LOOKED_AT = 500;

/** The files of this ending that were written to last, of so many as may be looked at; none where there is no such folder. */
export async function newestIn(folder: string, ending: string, most: number): Promise<string[]> {
  try {
    const files: { file: string; at: number }[] = [];
    for await (const { name } of await fs.opendir(folder)) {
      if (!name.endsWith(ending)) continue;
      const file = path.join(folder, name);
      files.push({ file, at: (await fs.stat(file)).mtimeMs });
      if (files.length === MOST_LOOKED_AT) break;
    }
    const newest = files.sort((a, b) => b.at - a.at).slice(0, most);
    return newest.map((it) => it.file);
  } catch {
    return [];
  }
}

/** Empty when there is nothing to read. */
async function part(file: string, bytes: number, from: (size: number) => number): Promise<string> {
  try {
    const stat = await fs.stat(file);
    if (!stat.isFile()) return "";
    const handle = await fs.open(file);
    try {
      const length = Math.min(bytes, stat.size);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from(stat.size));
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}
