/** The machine's clock. */
import type { Clock } from "../../ports.ts";

/** What a timeout can take, some 24 days. One that is longer would be over at once. */
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, call) {
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      timer =
        left > LONGEST_MS ? setTimeout(wait, LONGEST_MS, left - LONGEST_MS) : setTimeout(() => call(), left);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
