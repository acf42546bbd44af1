/**
 * Checkpoints: where the log ended and with which link, as a signed note (https://c2sp.org/signed-note, with the body
 * of https://c2sp.org/tlog-checkpoint). Kept elsewhere, a note shows whether everything was rewritten.
 */
import { createHash } from "node:crypto";
import { LINK_BYTES } from "./chain.ts";
import type { MachineKey, PublicKey } from "./key.ts";
import { isSigned, keyName } from "./key.ts";

export interface Checkpoint {
  seq: number;
  link: Buffer;
}

/** Says that it is ed25519. */
const ALGORITHM = 1;
const HASH_BYTES = 4;

export function noteOf({ seq, link }: Checkpoint, key: MachineKey): string {
  const name = keyName(key.public);
  const body = `${name}\n${seq}\n${link.toString("base64")}\n`;
  const signature = Buffer.concat([hashOf(name, key.public), key.sign(body)]).toString("base64");
  return `${body}\n— ${name} ${signature}\n`;
}

export interface Note extends Checkpoint {
  /** Who says that they signed it. */
  signers: string[];
  isSignedBy(key: PublicKey): boolean;
}

/** Null: it is no checkpoint. */
export function noteIn(text: string): Note | null {
  const end = text.indexOf("\n\n— ");
  if (end < 0) return null;
  const body = text.slice(0, end + 1);
  const [, size = "", root = ""] = body.split("\n");
  const link = Buffer.from(root, "base64");
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || link.length !== LINK_BYTES) return null;
  const signatures = text
    .slice(end + 2)
    .split("\n")
    .flatMap((line) => {
      const [, name = "", value = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      return name === "" ? [] : [{ name, bytes: Buffer.from(value, "base64") }];
    });
  return {
    seq: Number(size),
    link,
    signers: signatures.map((it) => it.name),
    isSignedBy: (key) =>
      signatures.some(
        ({ name, bytes }) =>
          bytes.subarray(0, HASH_BYTES).equals(hashOf(name, key)) &&
          isSigned(key, body, bytes.subarray(HASH_BYTES)),
      ),
  };
}

function hashOf(name: string, key: PublicKey): Buffer {
  const hash = createHash("sha256")
    .update(`${name}\n`)
    .update(Buffer.from([ALGORITHM]))
    .update(key);
  return hash.digest().subarray(0, HASH_BYTES);
}
