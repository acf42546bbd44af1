/**
 * How we prove to a push service that we are the ones whom the browser subscribed to: RFC 8292. The keys are made once,
 * because every subscription is bound to them.
 */
import type { KeyObject } from "node:crypto";
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import type { Journal } from "../../../ports.ts";
import { keptJson } from "../../secrets/kept-json.ts";

export interface Vapid {
  /** As browsers want it: an uncompressed point in base64url. */
  readonly publicKey: string;
  /** The `Authorization` header for this push service, which is named by its origin. */
  authorization(service: string, now: number): string;
}

interface Jwk {
  kty: string;
  crv: string;
  x: string;
  y: string;
  d: string;
}

/** Push services refuse more than 24 hours. */
const VALID_S = 12 * 3600;

export async function openVapid(file: string, subject: string, journal: Journal): Promise<Vapid> {
  const kept = keptJson<Jwk>(file, { isFit: isKey, journal });
  const known = await kept.read();
  const jwk = known ?? newKeys();
  if (known === null) await kept.save(jwk);
  return vapidOf(jwk, subject);
}

function isKey(value: unknown): boolean {
  try {
    vapidOf(value as Jwk, "");
    return true;
  } catch {
    return false;
  }
}

function newKeys(): Jwk {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  return privateKey.export({ format: "jwk" }) as unknown as Jwk;
}

function vapidOf(jwk: Jwk, subject: string): Vapid {
  const key: KeyObject = createPrivateKey({ key: { ...jwk }, format: "jwk" });
  const { x = "", y = "" } = createPublicKey(key).export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const publicKey = point.toString("base64url");
  return {
    publicKey,
    authorization(service, now) {
      const claims = { aud: service, exp: Math.floor(now / 1000) + VALID_S, sub: subject };
      const signed = `${encoded({ typ: "JWT", alg: "ES256" })}.${encoded(claims)}`;
      const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
      return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKey}`;
    },
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
