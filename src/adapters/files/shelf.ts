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
  wanted: Set<Place>;
}

type Place = { -readonly [Key in keyof Spot]: Spot[Key] };

/** A file is given up as a whole once nothing in it is wanted any more. Mostly, what goes first was put here first. */
const FILE_BYTES = 16 * 1024 * 1024;
/** What stays for long must not keep a whole file: one of which less than this part is wanted is emptied. */
const SPARSE = 0.25;
/** So many texts move with each one that is dropped: a file is empty soon, and nothing ever waits for that. */
const MOVES = 2;

export function fileShelf(input: { dir: string; fileBytes?: number; failed(error: Error): void }): Shelf {
  const files = new Map<number, File>();
  const sparse = new Set<number>();
  let newest = 0;

  function fileFor(): File {
    const file = files.get(newest);
    if (file && file.end < (input.fileBytes ?? FILE_BYTES)) return file;
    newest += 1;
    const made = { fd: nameless(input.dir), end: 0, used: 0, wanted: new Set<Place>() };
    files.set(newest, made);
    tidy(newest - 1);
    return made;
  }

  function tidy(number: number): void {
    const file = files.get(number);
    if (!file || number === newest) return;
    if (file.used < file.end * SPARSE) sparse.add(number);
    if (file.wanted.size > 0) return;
    fs.closeSync(file.fd);
    files.delete(number);
    sparse.delete(number);
  }

  /** Writes a text, and says so in `place`. False if there is no room, or no descriptor. */
  function write(bytes: Buffer, place: Place): boolean {
    try {
      const file = fileFor();
      const at = file.end;
      for (let done = 0; done < bytes.length; )
        done += fs.writeSync(file.fd, bytes, done, bytes.length - done, at + done);
      file.end += bytes.length;
      file.used += bytes.length;
      file.wanted.add(Object.assign(place, { file: newest, at, bytes: bytes.length }));
      return true;
    } catch {
      return false;
    }
  }

  function forget(file: File, place: Place, bytes: number): void {
    file.used -= bytes;
    file.wanted.delete(place);
  }

  function moveSome(): void {
    const [number = 0] = sparse;
    const file = files.get(number);
    if (!file) return;
    let left = MOVES;
    for (const place of file.wanted) {
      if (left-- === 0) return;
      const { bytes } = place;
      if (!write(readAt(file, place), place)) return; // it stays where it is
      forget(file, place, bytes);
    }
    tidy(number);
  }

  const reading = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      input.failed(error as Error);
      throw error;
    }
  };

  return {
    put(text) {
      const place = { file: 0, at: 0, bytes: 0 };
      return write(Buffer.from(text), place) ? place : null; // if not, it stays in memory
    },
    get: (spot) => reading(() => readAt(files.get(spot.file), spot).toString()),
    drop(spot) {
      const file = files.get(spot.file);
      if (!file) return;
      forget(file, spot, spot.bytes);
      tidy(spot.file);
      reading(moveSome);
    },
    close() {
      for (const { fd } of files.values()) fs.closeSync(fd);
      files.clear();
      sparse.clear();
    },
  };
}

function readAt(file: File | undefined, { at, bytes }: Spot): Buffer {
  if (!file) throw new Error("a text is no longer on the shelf");
  const buffer = Buffer.allocUnsafe(bytes);
  for (let done = 0; done < bytes; ) {
    const read = fs.readSync(file.fd, buffer, done, bytes - done, at + done);
    if (read === 0) throw new Error("a text on the shelf is truncated");
    done += read;
  }
  return buffer;
}

/** Open, and in no folder. */
function nameless(dir: string): number {
  const file = path.join(dir, `shelf-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const fd = fs.openSync(file, "wx+", 0o600);
  fs.rmSync(file);
  return fd;
}
