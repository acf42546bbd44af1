/** A passkey in software: makes keys and signs as an authenticator does, and lies in whatever way a test wants. */
import type { KeyObject } from "node:crypto";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export type Kind = "ES256" | "EdDSA" | "RS256";

export interface Lies {
  type?: string;
  challenge?: string;
  origin?: string;
  rp_id?: string;
  flags?: number;
  counter?: number;
  crossOrigin?: boolean;
  /** Signs with another key. */
  key?: KeyObject;
}

const sha256 = (of: string | Buffer) => createHash("sha256").update(of).digest();

/** CBOR, as short as it goes; only what keys need. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
export const map = (...entries: [number, number | Buffer][]): Buffer =>
  Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [int(key), typeof value === "number" ? int(value) : bytes(value)]),
  ]);

export function authenticator(kind: Kind, origin: string) {
  const pair =
    kind === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : kind === "EdDSA"
        ? generateKeyPairSync("ed25519")
        : generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = pair.publicKey.export({ format: "jwk" });
  const part = (text = "") => Buffer.from(text, "base64url");
  const cose =
    kind === "ES256"
      ? map([1, 2], [3, -7], [-1, 1], [-2, part(jwk.x)], [-3, part(jwk.y)])
      : kind === "EdDSA"
        ? map([1, 1], [3, -8], [-1, 6], [-2, part(jwk.x)])
        : map([1, 3], [3, -257], [-1, part(jwk.n)], [-2, part(jwk.e)]);
  const id = randomBytes(16);
  let counter = 0;

  function client(type: string, challenge: string, lies: Lies): Buffer {
    const said = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
    };
    return Buffer.from(JSON.stringify({ ...said, crossOrigin: lies.crossOrigin ?? false }));
  }
  function data(flags: number, lies: Lies, rest = Buffer.alloc(0)): Buffer {
    const numbers = Buffer.alloc(5);
    numbers[0] = lies.flags ?? flags;
    numbers.writeUInt32BE(lies.counter ?? counter, 1);
    return Buffer.concat([sha256(lies.rp_id ?? new URL(origin).hostname), numbers, rest]);
  }

  return {
    id: id.toString("base64url"),
    privateKey: pair.privateKey,
    counts(next: number) {
      counter = next;
    },
    create(challenge: string, lies: Lies & { cose?: Buffer } = {}) {
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, lies.cose ?? cose]);
      return {
        client_data: client("webauthn.create", challenge, lies).toString("base64url"),
        authenticator_data: data(0x45, lies, attested).toString("base64url"),
      };
    },
    get(challenge: string, lies: Lies = {}) {
      const [clientData, authData] = [client("webauthn.get", challenge, lies), data(0x05, lies)];
      const signed = Buffer.concat([authData, sha256(clientData)]);
      const signature = sign(kind === "EdDSA" ? null : "sha256", signed, lies.key ?? pair.privateKey);
      return {
        credential: id.toString("base64url"),
        client_data: clientData.toString("base64url"),
        authenticator_data: authData.toString("base64url"),
        signature: signature.toString("base64url"),
      };
    },
  };
}
