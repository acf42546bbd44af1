/** People whom the provider has just named, until the page of the same browser asks for its login: once, and soon. */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../ports.ts";

export interface Entry {
  person: string;
  /** Where in our page they go then. */
  next: string;
}

export interface Entries {
  /** The secret that this browser keeps. */
  add(entry: Entry): string;
  /** Null: there is none, it was taken, or it is too old. */
  take(secret: string): Entry | null;
}

const GOOD_MS = 120_000;
const MOST = 1000;
/** Nobody pushes out anybody else's. */
const MOST_OF_ONE = 5;

export function startEntries(clock: Pick<Clock, "monotonic">): Entries {
  /** By hash, oldest first. */
  const kept = new Map<string, Entry & { until: number }>();

  function dropOldest(entries: readonly string[], most: number): void {
    for (const hash of entries.slice(0, Math.max(0, entries.length - most))) kept.delete(hash);
  }

  return {
    add(entry) {
      const secret = randomBytes(32).toString("base64url");
      for (const [hash, { until }] of kept) if (until < clock.monotonic()) kept.delete(hash);
      kept.set(hashOf(secret), { ...entry, until: clock.monotonic() + GOOD_MS });
      const theirs = [...kept].filter(([, it]) => it.person === entry.person).map(([hash]) => hash);
      dropOldest(theirs, MOST_OF_ONE);
      dropOldest([...kept.keys()], MOST);
      return secret;
    },
    take(secret) {
      const found = kept.get(hashOf(secret));
      kept.delete(hashOf(secret));
      if (!found || found.until < clock.monotonic()) return null;
      return { person: found.person, next: found.next };
    },
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
