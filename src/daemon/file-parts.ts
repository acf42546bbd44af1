/** The beginning or the end of a file that somebody else named: a file only, as reading from a pipe or a device might never end. */
import fs from "node:fs/promises";

export function beginningOf(file: string, bytes: number): Promise<string> {
  return part(file, bytes, () => 0);
}

export function endOf(file: string, bytes: number): Promise<string> {
  return part(file, bytes, (size) => Math.max(0, size - bytes));
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
