/** A key that only this machine's user can read, made once: what is signed with it can be checked by a later daemon. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import fs from "node:fs/promises";

export interface Key {
  /** A signature of 128 bits, in `a–z2–7`: mail servers may change the case of an address. */
  sign(...parts: readonly string[]): string;
  /** In constant time. */
  isSigned(signature: string, ...parts: readonly string[]): boolean;
}

const BYTES = 32;

/** Two daemons never start at once in one folder, and a file that is cut short is made again. */
export async function keptKey(file: string): Promise<Key> {
  const kept = await fs.readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
  return keyOf(kept.length === BYTES ? kept : await made(file));
}

async function made(file: string): Promise<Buffer> {
  const key = randomBytes(BYTES);
  const handle = await fs.open(`${file}.new`, "w", 0o600);
  await handle
    .writeFile(key)
    .then(() => handle.sync())
    .finally(() => handle.close());
  await fs.rename(`${file}.new`, file);
  return key;
}

function keyOf(key: Buffer): Key {
  function sign(...parts: readonly string[]): string {
    // as JSON, no part can pass for the end of one and the beginning of the next
    return base32(createHmac("sha256", key).update(JSON.stringify(parts)).digest().subarray(0, 16));
  }
  return {
    sign,
    isSigned(signature, ...parts) {
      const [given, wanted] = [Buffer.from(signature), Buffer.from(sign(...parts))];
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  };
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

function base32(bytes: Buffer): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => LETTERS[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}
