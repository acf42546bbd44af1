/** What happened day by day, in somebody's time zone. */
import { DAY_MS, firstMoment, wallAt } from "../reach/zone.ts";
import type { Happening, Tally } from "./tally.ts";
import { addTo, emptyTally } from "./tally.ts";

export type Day = Tally & {
  /** As it is written: `2026-11-16`. */
  day: string;
  from_ms: number;
};

/** A year and a day: more than anybody can tell apart in a plot. */
const MOST_DAYS = 366;

export function startDays(zone: string) {
  const found = new Map<number, Tally>();
  /** A run of events lies in the same day, and looking at the wall clock takes longer than anything else. */
  let last = { from_ms: Infinity, until_ms: -Infinity, day: 0 };

  function dayOf(at_ms: number): number {
    if (at_ms >= last.from_ms && at_ms < last.until_ms) return last.day;
    const day = Math.floor(wallAt(zone, at_ms) / DAY_MS) * DAY_MS;
    last = { from_ms: firstMoment(zone, day), until_ms: firstMoment(zone, day + DAY_MS), day };
    return day;
  }

  return {
    /** What is only known by the month is left out: no day has it. */
    add(it: Happening): void {
      if (it.until_ms - it.from_ms > DAY_MS) return;
      const day = dayOf((it.from_ms + it.until_ms) / 2);
      const tally = found.get(day) ?? emptyTally();
      found.set(day, tally);
      addTo(tally, it);
    },

    /** Every day from the first on which something happened, or from the beginning of the span, also quiet ones. */
    all({ since_ms, until_ms }: { since_ms: number | null; until_ms: number }): Day[] {
      const first = since_ms === null ? Math.min(...found.keys()) : dayOf(since_ms);
      const end = dayOf(until_ms);
      const days: Day[] = [];
      for (let day = Math.max(first, end - (MOST_DAYS - 1) * DAY_MS); day <= end; day += DAY_MS) {
        const tally = found.get(day) ?? emptyTally();
        days.push({
          day: new Date(day).toISOString().slice(0, 10),
          from_ms: firstMoment(zone, day),
          ...tally,
        });
      }
      return days;
    },
  };
}
