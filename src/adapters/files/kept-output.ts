/**
 * Reads output that is kept within a limit: a newest file, and the older one that it replaced. Who writes them is the caller's business.
 */
import type { FileHandle } from "node:fs/promises";
import fs from "node:fs/promises";
import path from "node:path";

const BLOCK = 64 * 1024;

export const newestOf = (folder: string) => path.join(folder, "output.log");
export const olderOf = (folder: string) => path.join(folder, "output.older.log");

export interface Kept {
  newest: FileHandle | null;
  /** How much of the newest file `read` covers; anything written later begins there. */
  size: number;
  /** The last `lines` of both files together; null means all. To be read once. */
  read(lines: number | null): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Opens both files as they are at one moment. A missing file counts as empty. */
export async function openKept(folder: string): Promise<Kept> {
  for (;;) {
    const newest = await openFile(newestOf(folder));
    const older = await openFile(olderOf(folder));
    if (newest === null || newest.ino !== older?.ino) return keptIn(older, newest);
    await Promise.all([newest.handle.close(), older.handle.close()]); // replaced while we opened them
  }
}

interface Opened {
  handle: FileHandle;
  size: number;
  ino: number;
}

async function openFile(file: string): Promise<Opened | null> {
  const handle = await fs.open(file, "r").catch(() => null);
  if (handle === null) return null;
  try {
    const { size, ino } = await handle.stat();
    return { handle, size, ino };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function keptIn(older: Opened | null, newest: Opened | null): Kept {
  const border = older?.size ?? 0;
  const end = border + (newest?.size ?? 0);

  /** Both files as one; a block never spans them. */
  async function block(from: number, to: number): Promise<Buffer> {
    const inOlder = from < border;
    const start = inOlder ? 0 : border;
    const length = Math.min(to, inOlder ? border : end) - from;
    const buffer = Buffer.alloc(length);
    const file = inOlder ? older : newest;
    const read = await file?.handle.read(buffer, 0, length, from - start);
    return buffer.subarray(0, read?.bytesRead ?? 0);
  }

  async function startOf(lines: number): Promise<number> {
    if (lines === 0) return end;
    let left = lines;
    for (let to = end; to > 0; ) {
      const from = to > border ? Math.max(border, to - BLOCK) : Math.max(0, to - BLOCK);
      const bytes = await block(from, to);
      // the line end that closes the last line does not begin another
      for (let at = to === end ? bytes.length - 2 : bytes.length - 1; at >= 0; at--)
        if (bytes[at] === 10 && --left === 0) return from + at + 1;
      to = from;
    }
    return 0;
  }

  return {
    newest: newest?.handle ?? null,
    size: newest?.size ?? 0,
    async *read(lines) {
      for (let at = lines === null ? 0 : await startOf(lines); at < end; ) {
        const bytes = await block(at, Math.min(end, at + BLOCK));
        if (bytes.length === 0) return; // truncated by somebody else
        at += bytes.length;
        yield bytes;
      }
      await older?.handle.close(); // a reader that follows for hours need not keep it open
    },
    async close() {
      await Promise.all([older?.handle.close(), newest?.handle.close()]);
    },
  };
}
