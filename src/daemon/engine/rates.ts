/** Limits how often somebody may ask: each name has a bucket that refills every minute. */
import { Refusal } from "../../core/model/errors.ts";
import type { Clock } from "../../ports.ts";

export interface Rates {
  /** Takes one from the bucket, or refuses and says when to try again. */
  take(name: string): void;
}

const MAX_NAMES = 10_000;

export function rateLimits(clock: Clock, perMinute: number): Rates {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(name) {
      const now = clock.monotonic();
      const bucket = buckets.get(name) ?? { left: perMinute, at: now };
      bucket.left = Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / 60_000);
      bucket.at = now;
      if (buckets.size >= MAX_NAMES) buckets.clear(); // callers make up names: they must not fill the memory
      buckets.set(name, bucket);
      if (bucket.left < 1) {
        const seconds = Math.ceil(((1 - bucket.left) * 60) / perMinute);
        throw new Refusal(
          "request.too-many",
          `${name} asked more than ${perMinute} times in a minute`,
          `try again in ${seconds} s`,
        );
      }
      bucket.left -= 1;
    },
  };
}
