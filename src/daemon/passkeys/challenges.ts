/**
 * What passkeys are asked to sign, and links to register one. All of it is in memory, good once and for a short time: a
 * restart forgets it, and nothing that was signed before can be used after.
 */
import { randomBytes } from "node:crypto";
import { Refusal } from "../../core/model/errors.ts";
import type { Clock } from "../../ports.ts";

const GOOD_MS = 600_000;
const MOST = 1000;

export interface Challenges {
  /** A new nonce for this purpose. */
  make(purpose: string): string;
  /** How old it is. It is used up; refuses one that is unknown, used, too old, or for something else. */
  take(purpose: string, nonce: string): { age_ms: number };
  /** The same without using it up. */
  look(purpose: string, nonce: string): boolean;
}

export function startChallenges(clock: Clock): Challenges {
  const made = new Map<string, { purpose: string; until: number }>();
  const find = (purpose: string, nonce: string) => {
    const found = made.get(nonce);
    return found && found.purpose === purpose && found.until > clock.monotonic() ? found : null;
  };
  return {
    make(purpose) {
      const nonce = randomBytes(32).toString("base64url");
      const now = clock.monotonic();
      for (const [old, it] of made) if (it.until <= now || made.size >= MOST) made.delete(old);
      made.set(nonce, { purpose, until: now + GOOD_MS });
      return nonce;
    },
    take(purpose, nonce) {
      const found = find(purpose, nonce);
      if (found === null)
        throw new Refusal(
          "decision.passkey",
          "this was used already, or is older than ten minutes: try again",
          null,
        );
      made.delete(nonce);
      return { age_ms: clock.monotonic() + GOOD_MS - found.until };
    },
    look: (purpose, nonce) => find(purpose, nonce) !== null,
  };
}
