/** A public key as an authenticator sends it (COSE, RFC 9053) → SPKI. Three kinds are taken: ES256, EdDSA and RS256. */
import type { KeyObject } from "node:crypto";
import { createPublicKey } from "node:crypto";
import type { Cbor } from "./cbor.ts";
import { BadCbor } from "./cbor.ts";

export type Algorithm = -7 | -8 | -257;

const [KTY, ALG] = [1, 3];

export function keyOfCose(value: Cbor): { alg: Algorithm; key: KeyObject } {
  if (!(value instanceof Map)) throw new BadCbor("the key is no map");
  const map: ReadonlyMap<unknown, Cbor> = value;
  const [kty, alg] = [map.get(KTY), map.get(ALG)];
  const bytes = (label: number, length?: number): string => {
    const found = map.get(label);
    if (!Buffer.isBuffer(found) || (length !== undefined && found.length !== length))
      throw new BadCbor("a part of the key is missing");
    return found.toString("base64url");
  };
  const made = (jwk: object, isFit: (key: KeyObject) => boolean): KeyObject => {
    try {
      const key = createPublicKey({ key: jwk, format: "jwk" } as never);
      if (isFit(key)) return key;
    } catch {
      // no point of that curve, or no key at all
    }
    throw new BadCbor("the key can't be used");
  };
  if (kty === 2 && alg === -7 && map.get(-1) === 1)
    return { alg, key: made({ kty: "EC", crv: "P-256", x: bytes(-2, 32), y: bytes(-3, 32) }, () => true) };
  if (kty === 1 && alg === -8 && map.get(-1) === 6)
    return { alg, key: made({ kty: "OKP", crv: "Ed25519", x: bytes(-2, 32) }, () => true) };
  if (kty === 3 && alg === -257)
    return {
      alg,
      key: made(
        { kty: "RSA", n: bytes(-1), e: bytes(-2) },
        (it) => (it.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
      ),
    };
  throw new BadCbor("this kind of key is not taken: ES256, EdDSA or RS256");
}
