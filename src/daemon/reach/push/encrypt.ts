/**
 * Encrypts a message so that only one browser can read it: RFC 8291 (keys) on top of RFC 8188 (`aes128gcm`). The push
 * service in between sees only who sends how much to whom.
 */
import type { ECDH } from "node:crypto";
import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** What a browser hands out with its subscription. */
export interface BrowserKeys {
  /** A point on P-256, uncompressed: 65 bytes. */
  p256dh: Buffer;
  /** 16 bytes. */
  auth: Buffer;
}

/** What a push service takes is 4096 bytes long: 86 of them are the head, one the end mark, and 16 the seal. */
export const MOST_BYTES = 4096 - 86 - 1 - 16;

const CURVE = "prime256v1";
const RECORD_BYTES = 4096;

/** Keys and salt are given by tests alone: the same ones must never be used twice. */
export function encrypt(
  text: string,
  { p256dh, auth }: BrowserKeys,
  { own = newPair(), salt = randomBytes(16) }: { own?: ECDH; salt?: Buffer } = {},
): Buffer {
  const plain = Buffer.from(text, "utf8");
  if (plain.length > MOST_BYTES) throw new RangeError(`a push has at most ${MOST_BYTES} bytes`);
  const publicKey = own.getPublicKey();
  const shared = own.computeSecret(p256dh);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, publicKey]);
  const secret = derive(shared, auth, info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const lastRecord = Buffer.concat([plain, Buffer.of(2)]);
  return Buffer.concat([
    headOf(salt, publicKey),
    cipher.update(lastRecord),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Whether a message can be encrypted for them: the point must be on the curve. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  if (p256dh.length !== 65 || auth.length !== 16) return false;
  try {
    newPair().computeSecret(p256dh);
    return true;
  } catch {
    return false;
  }
}

function newPair(): ECDH {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
}

function derive(key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, length));
}

function headOf(salt: Buffer, publicKey: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.of(publicKey.length), publicKey]);
}
