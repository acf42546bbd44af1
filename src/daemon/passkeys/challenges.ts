/**
 * What passkeys are asked to sign, and links to register one. All of it is in memory, good once and for a short time: a
 * restart forgets it, and nothing that was signed before can be used after.
 */
import { randomBytes } from "node:crypto";
import { Refusal } from "../../core/model/errors.ts";
import type { Clock } from "../../ports.ts";

const GOOD_MS = 600_000;
const MOST = 1000;
/** Nobody pushes out anybody else's. */
const MOST_OF_ONE = 20;

export interface Challenges {
  /** A new nonce for this purpose of this person. */
  make(person: string, purpose: string): string;
  /** How old it is. It is used up; refuses one that is unknown, used, too old, or for something else. */
  take(purpose: string, nonce: string): { age_ms: number };
  /** The same without using it up. */
  look(purpose: string, nonce: string): boolean;
}

export function startChallenges(clock: Clock): Challenges {
  /** Oldest first. */
  const made = new Map<string, { person: string; purpose: string; until: number }>();
  const drop = (nonces: readonly string[], most: number) => {
    for (const nonce of nonces.slice(0, Math.max(0, nonces.length - most))) made.delete(nonce);
  };
  const find = (purpose: string, nonce: string) => {
    const found = made.get(nonce);
    return found && found.purpose === purpose && found.until > clock.monotonic() ? found : null;
  };
  return {
    make(person, purpose) {
      const nonce = randomBytes(32).toString("base64url");
      const now = clock.monotonic();
      for (const [old, { until }] of made) if (until <= now) made.delete(old);
      made.set(nonce, { person, purpose, until: now + GOOD_MS });
      const theirs = [...made].filter(([, it]) => it.person === person).map(([old]) => old);
      drop(theirs, MOST_OF_ONE);
      drop([...made.keys()], MOST);
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
