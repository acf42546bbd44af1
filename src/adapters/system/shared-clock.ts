/** One time for all machines that share a store: the database's, whatever this machine's own clock says. */
import type { Clock } from "../../ports.ts";

export interface SharedClock extends Clock {
  /** It is this time over there, now. */
  agree(now_ms: number): void;
}

/** Less than this is the way of the answer, or the clocks' own unrest. */
const APART_MS = 1000;

export function sharedClock(own: Clock): SharedClock {
  let ahead = 0;
  return {
    ...own,
    now: () => own.now() + ahead,
    agree(now_ms) {
      const apart = now_ms - own.now();
      if (Math.abs(apart - ahead) > APART_MS) ahead = Math.abs(apart) > APART_MS ? apart : 0;
    },
  };
}
