/**
 * Links whose answer is on hold. A settled decision says itself that its links are used up; an answer that was taken back
 * leaves the decision pending, but not the link that gave it.
 */
import { createHash } from "node:crypto";
import type { Journal } from "../../ports.ts";
import { keptJson } from "../secrets/kept-json.ts";

export interface UsedLinks {
  has(token: string): boolean;
  add(token: string): Promise<void>;
}

/** So many answers were never on hold at once; the oldest make way. */
const MOST = 1000;

export async function usedLinks(file: string, journal: Journal): Promise<UsedLinks> {
  const isFit = (it: unknown) => Array.isArray(it) && it.every((hash) => typeof hash === "string");
  const kept = keptJson<string[]>(file, { isFit, journal });
  const used = new Set((await kept.read()) ?? []);
  return {
    has: (token) => used.has(hashOf(token)),
    add(token) {
      used.add(hashOf(token));
      for (const hash of [...used].slice(0, Math.max(0, used.size - MOST))) used.delete(hash);
      return kept.save([...used]);
    },
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
