/**
 * The shelf on disk: files without a name, so that nothing of them is left however the daemon ends. They are read and written in place: a
 * few kilobytes of a recently written file come from the system's cache, in microseconds.
 */
import fs from "node:fs";
import path from "node:path";
import type { Shelf, Spot } from "../../core/model/shelf.ts";

interface File {
  fd: number;
  end: number;
  /** Bytes of texts that are still wanted. */
  used: number;
}

/** A file is given up as a whole once nothing in it is wanted any more. Mostly, what goes first was put here first. */
const FILE_BYTES = 16 * 1024 * 1024;

export function fileShelf(input: { dir: string; fileBytes?: number; failed(error: Error): void }): Shelf {
  const files = new Map<number, File>();
  let newest = 0;

  function fileFor(): File {
    const file = files.get(newest);
    if (file && file.end < (input.fileBytes ?? FILE_BYTES)) return file;
    newest += 1;
    const made = { fd: nameless(input.dir), end: 0, used: 0 };
    files.set(newest, made);
    tidy(newest - 1);
    return made;
  }

  function tidy(number: number): void {
    const file = files.get(number);
    if (!file || file.used > 0 || number === newest) return;
    fs.closeSync(file.fd);
    files.delete(number);
  }

  return {
    put(text) {
      const bytes = Buffer.from(text);
      try {
        const file = fileFor();
        const at = file.end;
        for (let done = 0; done < bytes.length; )
          done += fs.writeSync(file.fd, bytes, done, bytes.length - done, at + done);
        file.end += bytes.length;
        file.used += bytes.length;
        return { file: newest, at, bytes: bytes.length };
      } catch {
        return null; // no room, or no descriptor: it stays in memory
      }
    },
    get(spot) {
      try {
        return readAt(files.get(spot.file), spot);
      } catch (error) {
        input.failed(error as Error);
        throw error;
      }
    },
    drop({ file: number, bytes }) {
      const file = files.get(number);
      if (!file) return;
      file.used -= bytes;
      tidy(number);
    },
    close() {
      for (const { fd } of files.values()) fs.closeSync(fd);
      files.clear();
    },
  };
}

function readAt(file: File | undefined, { at, bytes }: Spot): string {
  if (!file) throw new Error("a text is no longer on the shelf");
  const buffer = Buffer.allocUnsafe(bytes);
  for (let done = 0; done < bytes; ) {
    const read = fs.readSync(file.fd, buffer, done, bytes - done, at + done);
    if (read === 0) throw new Error("a text on the shelf is truncated");
    done += read;
  }
  return buffer.toString();
}

/** Open, and in no folder. */
function nameless(dir: string): number {
  const file = path.join(dir, `shelf-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const fd = fs.openSync(file, "wx+", 0o600);
  fs.rmSync(file);
  return fd;
}
