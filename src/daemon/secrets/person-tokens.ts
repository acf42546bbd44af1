/** Tokens of people: `ojp_ID_SECRET`. Only a SHA-256 of the whole is recorded, and it is compared in constant time. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { State } from "../../core/model/state/state.ts";
import { findToken, isUseNews } from "../../core/rights/people.ts";
import type { Rights } from "../../core/rights/rights.ts";

const TOKEN = /^ojp_([A-Za-z0-9]{12})_[A-Za-z0-9_-]{43}$/;
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** What somebody came with: a token, which may be revoked while they wait, or the word of a door. */
export interface Trust {
  /** Whose it is. */
  member: string;
  /** The token's id; null: a door vouches for them. */
  token: string | null;
  /** Null: it doesn't end by itself. */
  expires_at_ms: number | null;
}

export interface MadeToken {
  id: string;
  token: string;
  sha256: string;
}

/** `ojp`: a person's. `ojm`: for MCP. */
export function makeToken(kind: "ojp" | "ojm" = "ojp"): MadeToken {
  const id = [...randomBytes(12)].map((it) => LETTERS[it % LETTERS.length]).join("");
  const token = `${kind}_${id}_${randomBytes(32).toString("base64url")}`;
  return { id, token, sha256: hashOf(token).toString("hex") };
}

/** The id of a person's token; null: it is none. */
export function tokenIdIn(text: string): string | null {
  return TOKEN.exec(text)?.[1] ?? null;
}

/** Null: no token of ours that counts now. */
export function bearerOf(
  state: Readonly<State>,
  header: string | undefined,
  at_ms: number,
): { name: string; rights: Rights; token: string; trust: Trust; isUseNews: boolean } | null {
  const text = /^Bearer (\S+)$/i.exec(header ?? "")?.[1] ?? "";
  const id = tokenIdIn(text);
  const found = id === null ? null : findToken(state, id, at_ms);
  if (found === null) return null;
  if (found.member.kind !== undefined || !isHashOf(found.token.sha256, text)) return null;
  const { member, token, rights } = found;
  const trust = { member: member.id, token: token.id, expires_at_ms: token.expires_at_ms };
  return { name: member.id, rights, token: token.id, trust, isUseNews: isUseNews(token, at_ms) };
}

/** In constant time. */
export function isHashOf(sha256: string, text: string): boolean {
  const [kept, given] = [Buffer.from(sha256, "hex"), hashOf(text)];
  return kept.length === given.length && timingSafeEqual(kept, given);
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
