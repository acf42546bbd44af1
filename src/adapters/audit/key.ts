/** The key of a machine: what its daemon writes is signed with it, so that nobody else can write in its name. */
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hkdfSync,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** A public key as it is stored and sent: 32 bytes. */
export type PublicKey = Buffer;

export interface MachineKey {
  public: PublicKey;
  /** What anybody with the public key can check. */
  sign(text: string): Buffer;
  /** What only this key can make and check: a tenth of the time of a signature. */
  stamp(text: string): Buffer;
  isStamped(text: string, stamp: Buffer): boolean;
}

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
export const STAMP_BYTES = 32;
/** Keeps the secret of stamps apart from that of signatures. */
const STAMPS = "oj stamps v1";

/** What DER puts before the 32 bytes of an ed25519 key. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

function keyFile(folder: string): string {
  return path.join(folder, "machine-key");
}

/** The folder's key; null if it has none. */
export function readKey(folder: string): MachineKey | null {
  try {
    return keyIn(fs.readFileSync(keyFile(folder), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** The folder's key, made if it has none yet. Returns once it is on disk. */
export function keyOf(folder: string): MachineKey {
  const kept = readKey(folder);
  if (kept !== null) return kept;
  const { privateKey } = generateKeyPairSync("ed25519");
  const text = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const fresh = `${keyFile(folder)}.new`;
  fs.rmSync(fresh, { force: true }); // what a start left that was interrupted
  const fd = fs.openSync(fresh, "wx", 0o600);
  try {
    fs.writeFileSync(fd, text);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(fresh, keyFile(folder));
  return keyIn(text);
}

function keyIn(text: string): MachineKey {
  const key = createPrivateKey(text);
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  const seed = Buffer.from(key.export({ format: "jwk" }).d ?? "", "base64url");
  const secret = createSecretKey(Buffer.from(hkdfSync("sha256", seed, "", STAMPS, 32)));
  const stamp = (it: string) => createHmac("sha256", secret).update(it).digest();
  return {
    public: spki.subarray(SPKI.length),
    sign: (it) => sign(null, Buffer.from(it), key),
    stamp,
    isStamped: (it, given) => given.length === STAMP_BYTES && timingSafeEqual(stamp(it), given),
  };
}

export function isSigned(key: PublicKey, text: string, signature: Buffer): boolean {
  if (key.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  try {
    const spki = createPublicKey({ key: Buffer.concat([SPKI, key]), type: "spki", format: "der" });
    return verify(null, Buffer.from(text), spki, signature);
  } catch {
    return false; // not a point of the curve
  }
}

/** What a machine is called in checkpoints and messages: it says nothing about the host. */
export function keyName(key: PublicKey): string {
  return `oddjobs-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
}
