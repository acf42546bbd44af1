/** Tokens of people: `ojp_ID_SECRET`. Only a SHA-256 of the whole is recorded, and it is compared in constant time. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { State } from "../../core/model/state/state.ts";
import { findToken } from "../../core/rights/people.ts";
import type { Rights } from "../../core/rights/rights.ts";

const TOKEN = /^ojp_([A-Za-z0-9]{12})_[A-Za-z0-9_-]{43}$/;
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

export interface MadeToken {
  id: string;
  token: string;
  sha256: string;
}

export function makeToken(): MadeToken {
  const id = [...randomBytes(12)].map((it) => LETTERS[it % LETTERS.length]).join("");
  const token = `ojp_${id}_${randomBytes(32).toString("base64url")}`;
  return { id, token, sha256: hashOf(token).toString("hex") };
}

/** Null: no token of ours that counts now. */
export function bearerOf(
  state: Readonly<State>,
  header: string | undefined,
  at_ms: number,
): { name: string; token: string; rights: Rights } | null {
  const text = /^Bearer (\S+)$/i.exec(header ?? "")?.[1] ?? "";
  const id = TOKEN.exec(text)?.[1];
  const found = id === undefined ? null : findToken(state, id, at_ms);
  if (found === null) return null;
  const kept = Buffer.from(found.token.sha256, "hex");
  const given = hashOf(text);
  if (kept.length !== given.length || !timingSafeEqual(kept, given)) return null;
  return { name: found.member.id, token: found.token.id, rights: found.rights };
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
