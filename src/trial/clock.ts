/** Time that passes only when it is told to. */
import type { Clock } from "../ports.ts";

export interface VirtualClock extends Clock {
  /** When the next thing is due, in milliseconds since the beginning; null if nothing is. */
  next(): number | null;
  /** Lets time pass until then, and does what is due. */
  goTo(ms: number): void;
}

interface Timer {
  at: number;
  order: number;
  call(): void;
}

/** A Monday morning, the same for everyone. */
const BEGINNING = Date.UTC(2026, 0, 5, 9);

export function virtualClock(): VirtualClock {
  let passed = 0;
  let count = 0;
  const timers = new Set<Timer>();

  const first = () => {
    let found: Timer | null = null;
    for (const it of timers)
      if (found === null || it.at < found.at || (it.at === found.at && it.order < found.order)) found = it;
    return found;
  };

  return {
    now: () => BEGINNING + passed,
    monotonic: () => passed,
    after(ms, call) {
      const timer = { at: passed + Math.max(0, ms), order: count++, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    next: () => first()?.at ?? null,
    goTo(ms) {
      passed = Math.max(passed, ms);
      for (let due = first(); due !== null && due.at <= passed; due = first()) {
        timers.delete(due);
        due.call();
      }
    },
  };
}
