/**
 * Reads the beginning or the end of a file that somebody else named. Only regular files are read, as a pipe or a device
 * might never end.
 */
import fs from "node:fs/promises";
import path from "node:path";

export function beginningOf(file: string, bytes: number): Promise<string> {
  return part(file, bytes, () => 0);
}

export function endOf(file: string, bytes: number): Promise<string> {
  return part(file, bytes, (size) => Math.max(0, size - bytes));
}

/** The most that is read at once. If a file grew by more, only the end is read. */
const MOST_GROWN = 4 * 1024 * 1024;

/** The complete lines that were added to a file after this offset, and the offset where they end. */
export async function grownBy(file: string, from: number): Promise<{ text: string; end: number }> {
  // the file is shorter than before: it was rewritten
  const begin = (size: number) => (size < from ? 0 : Math.max(from, size - MOST_GROWN));
  const { buffer, start } = await bytesOf(file, MOST_GROWN, begin);
  const whole = buffer.subarray(0, buffer.lastIndexOf(NEWLINE) + 1);
  return { text: whole.toString("utf8"), end: start + whole.length };
}

const NEWLINE = 10;

const MOST_LOOKED_AT = 500;

/**
 * The files with this extension that were written to last, among the first few hundred. Empty if there is no such
 * folder.
 */
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

async function part(file: string, bytes: number, from: (size: number) => number): Promise<string> {
  return (await bytesOf(file, bytes, from)).buffer.toString("utf8");
}

/** Empty when there is nothing to read. */
async function bytesOf(
  file: string,
  bytes: number,
  from: (size: number) => number,
): Promise<{ buffer: Buffer; start: number }> {
  const nothing = { buffer: Buffer.alloc(0), start: 0 };
  try {
    const stat = await fs.stat(file);
    if (!stat.isFile()) return nothing;
    const handle = await fs.open(file);
    try {
      const start = from(stat.size);
      const length = Math.max(0, Math.min(bytes, stat.size - start));
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
      return { buffer: buffer.subarray(0, bytesRead), start };
    } finally {
      await handle.close();
    }
  } catch {
    return nothing;
  }
}
