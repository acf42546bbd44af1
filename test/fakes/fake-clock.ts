/** A clock that stands still until a test lets time pass, or sets it as a person or NTP would. */
import type { Clock } from "../../src/ports.ts";

export interface FakeClock extends Clock {
  /** Lets time pass; whatever becomes due happens in order. */
  pass(ms: number): void;
  /** Sets the wall clock; no time passes. */
  jump(ms: number): void;
  /** How many calls are due some time. */
  armed(): number;
}

export function fakeClock(): FakeClock {
  let wall = 1_800_000_000_000;
  let passed = 0;
  const timers = new Set<{ at: number; call: () => void }>();
  return {
    now: () => wall,
    monotonic: () => passed,
    after(ms, call) {
      const timer = { at: passed + Math.max(0, ms), call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(ms) {
      const end = passed + ms;
      for (;;) {
        const next = [...timers].sort((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) break;
        timers.delete(next);
        wall += next.at - passed;
        passed = next.at;
        next.call();
      }
      wall += end - passed;
      passed = end;
    },
    jump(ms) {
      wall += ms;
    },
    armed: () => timers.size,
  };
}
