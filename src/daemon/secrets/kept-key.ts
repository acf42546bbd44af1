/** A key that only this machine's user can read, made once: what is signed with it can be checked by a later daemon. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import fs from "node:fs";

export interface Key {
  /** A signature of 128 bits, in `a–z2–7`: mail servers may change the case of an address. */
  sign(...parts: readonly string[]): string;
  /** In constant time. */
  isSigned(signature: string, ...parts: readonly string[]): boolean;
}

const BYTES = 32;

/**
 * The file is made when something is signed for the first time: whoever signs nothing has no key that could be stolen.
 * Two daemons never start at once in one folder, and a file that is cut short is made again.
 */
export function keptKey(file: string): Key {
  let known: Buffer | null = null;
  const kept = () => {
    known ??= read(file);
    return known;
  };
  const sign = (key: Buffer, parts: readonly string[]) =>
    // as JSON, no part can pass for the end of one and the beginning of the next
    base32(createHmac("sha256", key).update(JSON.stringify(parts)).digest().subarray(0, 16));
  return {
    sign(...parts) {
      known = kept() ?? made(file);
      return sign(known, parts);
    },
    isSigned(signature, ...parts) {
      const key = kept();
      if (key === null) return false; // nothing was ever signed
      const [given, wanted] = [Buffer.from(signature), Buffer.from(sign(key, parts))];
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  };
}

function read(file: string): Buffer | null {
  try {
    const key = fs.readFileSync(file);
    return key.length === BYTES ? key : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** On disk before anything signed with it leaves the machine. */
function made(file: string): Buffer {
  const key = randomBytes(BYTES);
  const handle = fs.openSync(`${file}.new`, "w", 0o600);
  try {
    fs.writeSync(handle, key);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  fs.renameSync(`${file}.new`, file);
  return key;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

function base32(bytes: Buffer): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => LETTERS[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}
