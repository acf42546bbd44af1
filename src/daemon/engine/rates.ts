/** How often somebody may ask: a bucket for each name that fills again by the minute. */
import { Refusal } from "../../core/model/errors.ts";
import type { Clock } from "../../ports.ts";

export interface Rates {
  /** Takes one from the bucket, or refuses with the time after which it will do. */
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
      if (buckets.size >= MAX_NAMES) buckets.clear(); // names are made up by callers: they must not fill the memory
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
