/** A flag's text, or where it is: `@FILE`, or `-` for stdin. `@@` is a text that begins with @. */
import fs from "node:fs";
import path from "node:path";
import { isatty } from "node:tty";
import { Refusal } from "../../core/model/errors.ts";
import type { Context } from "./command.ts";

/** More than any text may have, so that a wrong file is refused without reading it whole. */
const MOST_BYTES = 4 * 1024 * 1024;

export function textFrom(
  flag: string,
  given: string,
  { config, out }: Pick<Context, "config" | "out">,
): string {
  if (given.startsWith("@@")) return given.slice(1);
  if (given !== "-" && !given.startsWith("@")) return given;
  const isStdin = given === "-";
  const name = isStdin ? "stdin" : given.slice(1);
  if (isStdin && isatty(0)) out.say("type the text, then Ctrl-D");
  const bytes = readMost(flag, name, isStdin ? 0 : path.resolve(config.cwd, name));
  if (bytes.length > MOST_BYTES) throw refused(flag, name, "is too big: more than 4 MB");
  const text = decoded(bytes);
  if (text === null) throw refused(flag, name, "is not text");
  return text;
}

/** Up to one byte more than is allowed. */
function readMost(flag: string, name: string, file: string | 0): Buffer {
  let fd = 0;
  try {
    fd = file === 0 ? 0 : fs.openSync(file, "r");
    const parts: Buffer[] = [];
    for (let left = MOST_BYTES + 1; left > 0; ) {
      const part = Buffer.alloc(Math.min(left, 64 * 1024));
      const size = readSome(fd, part);
      if (size === 0) break;
      parts.push(part.subarray(0, size));
      left -= size;
    }
    return Buffer.concat(parts);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw refused(flag, name, code === "ENOENT" ? "does not exist" : `can't be read: ${message}`);
  } finally {
    if (fd > 0) fs.closeSync(fd);
  }
}

/** A terminal or pipe that was made non-blocking says EAGAIN while it is empty, and some say EOF with an error. */
function readSome(fd: number, into: Buffer): number {
  for (;;) {
    try {
      return fs.readSync(fd, into);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function decoded(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function refused(flag: string, name: string, what: string): Refusal {
  return new Refusal(
    "request.invalid",
    `${name} ${what}`,
    `${flag} @FILE, ${flag} - for stdin, or the text itself`,
  );
}
