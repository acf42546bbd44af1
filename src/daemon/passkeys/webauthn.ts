/**
 * Checks what a browser brings from an authenticator (WebAuthn, 7.1 and 7.2), with Node's own crypto. Attestation is not
 * asked for: who made the device says nothing about the person.
 */
import type { KeyObject } from "node:crypto";
import { createHash, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { Refusal } from "../../core/model/errors.ts";
import type { Passkey } from "../../core/roles/people.ts";
import { BadCbor, readCbor } from "./cbor.ts";
import type { Algorithm } from "./cose.ts";
import { keyOfCose } from "./cose.ts";

interface Expected {
  type: "webauthn.create" | "webauthn.get";
  /** SHA-256 of what is to be signed. */
  challenge: Buffer;
  /** The pages that are ours. */
  origins: readonly string[];
}

/** In base64url, as the browser gave it. */
interface Brought {
  client_data: string;
  authenticator_data: string;
}

interface Data {
  counter: number;
  rest: Buffer;
  isAttested: boolean;
}

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

export interface Made {
  id: string;
  /** SPKI in base64. */
  key: string;
  alg: Algorithm;
  rp_id: string;
  counter: number;
}

/** A new passkey. Refuses what is not one for us. */
export function checkCreated(brought: Brought, expected: Omit<Expected, "type">): Made {
  const rp_id = checkClient(brought.client_data, { ...expected, type: "webauthn.create" });
  const { rest, counter, isAttested } = checkData(brought.authenticator_data, rp_id);
  if (!isAttested || rest.length < 18) throw refused("there is no key in it");
  const length = rest.readUInt16BE(16);
  if (length < 1 || length > 1023 || rest.length < 18 + length) throw refused("its id can't be read");
  const id = rest.subarray(18, 18 + length).toString("base64url");
  try {
    const { alg, key } = keyOfCose(readCbor(rest, 18 + length).value);
    return { id, alg, key: spkiOf(key), rp_id, counter };
  } catch (error) {
    if (error instanceof BadCbor) throw refused(error.message);
    throw error;
  }
}

/** A signature with a passkey that we know. Returns its counter. */
export function checkSigned(
  brought: Brought & { signature: string },
  { key, alg, rp_id }: Pick<Passkey, "key" | "alg" | "rp_id">,
  expected: Omit<Expected, "type">,
): { counter: number } {
  const from = checkClient(brought.client_data, { ...expected, type: "webauthn.get" });
  if (from !== rp_id) throw refused(`it was made for ${rp_id}, not for ${from}`);
  const { counter } = checkData(brought.authenticator_data, rp_id);
  if (!isSigned(brought, key, alg)) throw refused("the signature is not that passkey's");
  return { counter };
}

/** Whether these bytes were signed with this key; for the audit too. */
export function isSigned(brought: Brought & { signature: string }, key: string, alg: Algorithm): boolean {
  const data = Buffer.concat([bytesOf(brought.authenticator_data), sha256(bytesOf(brought.client_data))]);
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    return verify(alg === -8 ? null : "sha256", data, publicKey, bytesOf(brought.signature));
  } catch {
    return false; // the signature has no shape at all
  }
}

/** The name of the site that it comes from. */
function checkClient(text: string, { type, challenge, origins }: Expected): string {
  const said = parsed(bytesOf(text));
  if (said.type !== type) throw refused("it was made for something else");
  const given = typeof said.challenge === "string" ? bytesOf(said.challenge) : Buffer.alloc(0);
  if (given.length !== challenge.length || !timingSafeEqual(given, challenge))
    throw refused("what was signed is something else, or was asked for before");
  const { origin } = said;
  if (typeof origin !== "string" || !origins.includes(origin))
    throw refused(`it comes from ${JSON.stringify(origin)?.slice(0, 100)}, which is not ours`);
  if (said.crossOrigin === true) throw refused("it comes from a page inside another");
  return new URL(origin).hostname;
}

function checkData(text: string, rp_id: string): Data {
  const data = bytesOf(text);
  if (data.length < 37) throw refused("it is too short");
  if (!timingSafeEqual(data.subarray(0, 32), sha256(rp_id))) throw refused(`it is not for ${rp_id}`);
  const flags = data[32] ?? 0;
  if ((flags & PRESENT) === 0) throw refused("nobody was there");
  if ((flags & VERIFIED) === 0) throw refused("it did not check who was there (PIN, finger or face)");
  return { counter: data.readUInt32BE(33), rest: data.subarray(37), isAttested: (flags & ATTESTED) !== 0 };
}

function parsed(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw refused("what the browser says can't be read");
}

function spkiOf(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).toString("base64");
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, "base64url");
}

function sha256(of: Buffer | string): Buffer {
  return createHash("sha256").update(of).digest();
}

function refused(why: string): Refusal {
  return new Refusal("decision.passkey", `the passkey was not taken: ${why}`, null);
}
