/** What this machine knows of the team's store by itself: who it is, its key, and the last event that it has seen. */
import fs from "node:fs";
import path from "node:path";
import { readKey } from "../adapters/audit/key.ts";
import type { Known } from "../adapters/postgres/evidence.ts";

/** Null where the file can't be used, which a daemon would say. */
export function knownIn(folder: string): Known | null {
  try {
    const { id, seen } = JSON.parse(fs.readFileSync(path.join(folder, "machine.json"), "utf8")) as {
      id?: unknown;
      seen?: { seq?: unknown; chain?: unknown } | null;
    };
    if (typeof id !== "string") return null;
    const key = readKey(folder)?.public ?? null;
    if (!Number.isSafeInteger(seen?.seq) || typeof seen?.chain !== "string") return { id, key, seen: null };
    return { id, key, seen: { seq: seen.seq as number, chain: seen.chain } };
  } catch {
    return null;
  }
}
