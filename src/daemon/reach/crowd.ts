/** When many decisions come at once, an address gets a few messages and then one about all the rest. */
import type { Clock } from "../../ports.ts";

/** So many messages within a minute come one by one. */
const ONE_BY_ONE = 5;
const MINUTE_MS = 60_000;
/** What comes after them is gathered for so long. */
const GATHER_MS = 15_000;

export interface Crowd {
  /** Counts a message to this address; returns when it goes out with others, or undefined: by itself, now. */
  joins(channel: string, to: string): number | undefined;
}

export function crowd(clock: Clock): Crowd {
  const addresses = new Map<string, { sent: number[]; gathersUntil: number }>();
  return {
    joins(channel, to) {
      const now = clock.now();
      const name = JSON.stringify([channel, to]);
      const at = addresses.get(name) ?? { sent: [], gathersUntil: 0 };
      at.sent = at.sent.filter((it) => it > now - MINUTE_MS && it <= now);
      addresses.set(name, at);
      if (at.sent.length < ONE_BY_ONE && at.gathersUntil <= now) {
        at.sent.push(now);
        return undefined;
      }
      if (at.gathersUntil <= now || at.gathersUntil > now + GATHER_MS) {
        at.gathersUntil = now + GATHER_MS;
        at.sent.push(now); // the digest itself
      }
      return at.gathersUntil;
    },
  };
}
