/**
 * Checks an ID token of an OpenID provider (OpenID Connect Core 3.1.3.7) with Node's own crypto. Everything in it is
 * hostile until its signature was checked with a key of the provider, and every claim after that.
 */
import type { JsonWebKey } from "node:crypto";
import { createPublicKey, verify } from "node:crypto";
import { OidcProblem } from "./problem.ts";

export interface Expected {
  issuer: string;
  client_id: string;
  nonce: string;
  now_ms: number;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** The two that we take. Never `none`, and nothing that takes a shared secret. */
const ALGORITHMS = {
  RS256: { kty: "RSA", dsaEncoding: undefined },
  ES256: { kty: "EC", dsaEncoding: "ieee-p1363" },
} as const;
type Algorithm = keyof typeof ALGORITHMS;

const LEEWAY_S = 60;
/** It was made for a login that has just been asked for. */
const OLDEST_S = 600;
const MAX_CHARS = 32_768;

export interface Header {
  alg: Algorithm;
  kid: string | null;
}

/** The header alone, to find the key by. Nothing in it is believed. */
export function headerOf(token: string): Header {
  const { alg, kid, crit } = partOf(token, 0);
  if (typeof alg !== "string" || !Object.hasOwn(ALGORITHMS, alg))
    throw new OidcProblem(`the ID token is signed with ${shown(alg)}; only RS256 and ES256 are taken`);
  if (crit !== undefined) throw new OidcProblem("the ID token asks for an extension that is not known here");
  if (kid !== undefined && typeof kid !== "string") throw new OidcProblem("the ID token names no key");
  return { alg: alg as Algorithm, kid: kid ?? null };
}

/** Null: none of them, or without a name more than one, could have signed it. */
export function keyFor({ alg, kid }: Header, keys: readonly JsonWebKey[]): JsonWebKey | null {
  const fitting = keys.filter(
    (it) =>
      it.kty === ALGORITHMS[alg].kty &&
      (it.use === undefined || it.use === "sig") &&
      (it.alg === undefined || it.alg === alg) &&
      (kid === null || it.kid === kid),
  );
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

export function claimsOf(token: string, key: JsonWebKey, expected: Expected): Claims {
  const { alg } = headerOf(token);
  const at = token.lastIndexOf(".");
  const { dsaEncoding } = ALGORITHMS[alg];
  const publicKey = strongKey(key, alg);
  const given = { key: publicKey, ...(dsaEncoding ? { dsaEncoding } : {}) };
  const signature = Buffer.from(token.slice(at + 1), "base64url");
  if (!verify("sha256", Buffer.from(token.slice(0, at)), given, signature))
    throw new OidcProblem("the signature of the ID token is not the provider's");
  return checked(partOf(token, 1), expected);
}

function strongKey(jwk: JsonWebKey, alg: Algorithm) {
  try {
    // only what a public key consists of: whatever else the provider sent with it stays out
    const { kty = "", n, e, crv, x, y } = jwk;
    const key = createPublicKey({
      key: kty === "RSA" ? { kty, n, e } : { kty, crv, x, y },
      format: "jwk",
    } as never);
    const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
    if (alg === "RS256" ? modulusLength >= 2048 : namedCurve === "prime256v1") return key;
  } catch {
    // reported below
  }
  throw new OidcProblem(`the provider's key can't be used for ${alg}`);
}

function checked(claims: Readonly<Record<string, unknown>>, expected: Expected): Claims {
  const { iss, aud, azp, exp, iat, nbf, nonce, sub } = claims;
  const now_s = expected.now_ms / 1000;
  if (iss !== expected.issuer)
    throw new OidcProblem(`the ID token was issued by ${shown(iss)}, not by ${expected.issuer}`);
  const audience = Array.isArray(aud) ? aud : [aud];
  if (!audience.includes(expected.client_id))
    throw new OidcProblem(`the ID token is for ${shown(aud)}, not for ${expected.client_id}`);
  if (azp === undefined ? audience.length > 1 : azp !== expected.client_id)
    throw new OidcProblem(`the ID token was given to ${shown(azp)}, not to ${expected.client_id}`);
  if (typeof exp !== "number" || !(exp + LEEWAY_S > now_s)) throw new OidcProblem("the ID token has expired");
  if (typeof iat !== "number" || !(iat - LEEWAY_S <= now_s) || !(iat + OLDEST_S > now_s))
    throw new OidcProblem("the ID token was not made just now: is the clock right, here and there?");
  if (nbf !== undefined && (typeof nbf !== "number" || nbf - LEEWAY_S > now_s))
    throw new OidcProblem("the ID token does not count yet");
  if (nonce !== expected.nonce) throw new OidcProblem("the ID token belongs to another login");
  if (typeof sub !== "string" || sub === "" || sub.length > 255)
    throw new OidcProblem("the ID token does not say who it is about");
  return { ...claims, sub };
}

function partOf(token: string, index: 0 | 1): Record<string, unknown> {
  const parts = token.split(".");
  const isWhole = token.length <= MAX_CHARS && parts.length === 3 && parts.every((it) => /^[\w-]+$/.test(it));
  try {
    const value: unknown =
      isWhole && JSON.parse(Buffer.from(parts[index] ?? "", "base64url").toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw new OidcProblem("the provider sent no ID token that can be read");
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nobody").slice(0, 120);
}
