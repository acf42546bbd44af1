/** Files written so that a power cut leaves either the old one or the new one. The store's only file access. */
import fs from "node:fs";
import path from "node:path";

/** What the store asks of the file system; tests make each of these fail. */
export interface Files {
  makeDir(dir: string): void;
  list(dir: string): string[];
  exists(file: string): boolean;
  /** The whole file, or its first bytes. */
  read(file: string, bytes?: number): Buffer;
  /** A new, empty file that only its owner can read. */
  create(file: string): number;
  open(file: string): number;
  openToWrite(file: string): number;
  /** All of it, at this offset. */
  writeAt(fd: number, bytes: Uint8Array, at: number): void;
  size(file: string): number;
  copy(from: string, to: string): void;
  /** May write less than it was given, as the system call does. */
  write(fd: number, bytes: Uint8Array): number;
  sync(fd: number): void;
  close(fd: number): void;
  rename(from: string, to: string): void;
  remove(file: string): void;
}

export const realFiles: Files = {
  makeDir: (dir) => void fs.mkdirSync(dir, { recursive: true, mode: 0o700 }),
  list: (dir) => fs.readdirSync(dir),
  exists: (file) => fs.existsSync(file),
  read: (file, bytes) => (bytes === undefined ? fs.readFileSync(file) : readStart(file, bytes)),
  create: (file) => fs.openSync(file, "wx", 0o600),
  open: (file) => fs.openSync(file, "r"),
  openToWrite: (file) => fs.openSync(file, "r+"),
  writeAt: (fd, bytes, at) => void fs.writeSync(fd, bytes, 0, bytes.length, at),
  size: (file) => fs.statSync(file).size,
  copy: (from, to) => fs.copyFileSync(from, to),
  write: (fd, bytes) => fs.writeSync(fd, bytes),
  sync: (fd) => fs.fsyncSync(fd),
  close: (fd) => fs.closeSync(fd),
  rename: (from, to) => fs.renameSync(from, to),
  remove: (file) => fs.rmSync(file, { force: true }),
};

/** Writes beside the file and renames: a reader of `file` sees all of it or nothing. */
export function writeDurably(files: Files, file: string, pieces: readonly Uint8Array[]): void {
  const temporary = `${file}.tmp`;
  files.remove(temporary);
  try {
    writeAll(files, temporary, pieces);
  } catch (error) {
    forgive(() => files.remove(temporary)); // gives the space back where the disk was full
    throw error;
  }
  renameDurably(files, temporary, file);
}

/** A rename that has reached the disk. The content of `from` must already be there. */
export function renameDurably(files: Files, from: string, to: string): void {
  files.rename(from, to);
  syncFile(files, path.dirname(to));
}

/** Flushes a file, or the names in a folder, to disk. */
export function syncFile(files: Files, file: string): void {
  const fd = files.open(file);
  try {
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}

/** For clean-up on the way out: the error that led here is the one to report. */
export function forgive(chore: () => void): void {
  try {
    chore();
  } catch {
    // the next operation reports it, if it matters
  }
}

/** Flushes piece by piece, so that others waiting for the disk don't wait for all of it. */
function writeAll(files: Files, file: string, pieces: readonly Uint8Array[]): void {
  const fd = files.create(file);
  try {
    for (const bytes of pieces) {
      for (let done = 0; done < bytes.length; ) done += files.write(fd, bytes.subarray(done));
      files.sync(fd);
    }
  } finally {
    files.close(fd);
  }
}

function readStart(file: string, bytes: number): Buffer {
  const fd = fs.openSync(file, "r");
  try {
    const start = Buffer.alloc(bytes);
    return start.subarray(0, fs.readSync(fd, start, 0, bytes, 0));
  } finally {
    fs.closeSync(fd);
  }
}
