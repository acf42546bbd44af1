/**
 * Reads files that agents name. Whoever names them is hostile: links may lead elsewhere, pipes may never end, and a file
 * may become another one while it is looked at.
 */
import { constants } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import type { FileNow } from "../../core/text/file-diff.ts";
import type { ReadSource } from "../../ports.ts";

const MOST_BYTES = 512 * 1024;
const WITHIN_MS = 1000;

const FAILED: FileNow = { unread: "the file could not be read" };

/** `withinMs`: a disk that doesn't respond (a network folder) must not keep a question from being asked. */
export function sourceReader({ withinMs = WITHIN_MS } = {}): ReadSource {
  return async (file, { cwd, roots }) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<FileNow>((resolve) => {
      timer = setTimeout(() => resolve(FAILED), withinMs);
    });
    const read = look(path.resolve(cwd, file), roots).catch(() => FAILED);
    const found = await Promise.race([read, late]);
    clearTimeout(timer);
    return found;
  };
}

async function look(file: string, roots: readonly string[]): Promise<FileNow> {
  const real = await realOf(file);
  if (!(await isInside(real ?? (await nearest(file)), roots)))
    return { unread: "the file is outside the agent's folder" };
  if (real === null) return (await exists(file)) ? { unread: "the file is a broken link" } : { text: null };
  const seen = await fs.lstat(real);
  if (!seen.isFile()) return { unread: "it is not a regular file" };
  if (seen.size > MOST_BYTES) return { unread: "the file is too large" };
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await fs.open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const opened = await handle.stat();
    if (!opened.isFile() || opened.ino !== seen.ino || opened.dev !== seen.dev) return FAILED;
    if ((await realOf(file)) !== real) return FAILED;
    return decoded(await readAll(handle));
  } finally {
    await handle.close();
  }
}

/** Null if there is no such file, or only a link to nothing. */
async function realOf(file: string): Promise<string | null> {
  try {
    return await fs.realpath(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw error;
  }
}

/** The real path of the nearest folder above that exists. */
async function nearest(file: string): Promise<string> {
  const above = path.dirname(file);
  return (await realOf(above)) ?? (above === file ? above : nearest(above));
}

async function isInside(real: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const it = await realOf(root).catch(() => null);
    if (it !== null && (real === it || real.startsWith(it.endsWith(path.sep) ? it : it + path.sep)))
      return true;
  }
  return false;
}

async function exists(file: string): Promise<boolean> {
  return fs.lstat(file).then(
    () => true,
    () => false,
  );
}

/** A file that grows while it is read is too large. */
async function readAll(handle: fs.FileHandle): Promise<Buffer | null> {
  const buffer = Buffer.alloc(MOST_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return null;
}

function decoded(bytes: Buffer | null): FileNow {
  if (bytes === null) return { unread: "the file is too large" };
  if (bytes.includes(0)) return { unread: "the file is not text" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { unread: "the file is not text" };
  }
}
