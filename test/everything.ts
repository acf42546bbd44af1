/**
 * Whether every test runs. `npm run test:everything` does that; `npm test` shows each promise with as few real programs
 * as it can, since each takes seconds of a core, and leaves the rest of every table to it. A file of which nothing is
 * left is called `*.thorough.test.ts` (vitest.config.ts).
 */
import { it } from "vitest";

export const EVERYTHING = process.env.OJ_TEST_EVERYTHING === "1";

/** A test that `npm test` leaves out. */
export const also = it.runIf(EVERYTHING);

/** Some rows from all over a table, where none is harder than another; or all of them. */
export function someOf<T>(table: readonly T[], count: number): readonly T[] {
  const step = EVERYTHING ? 1 : Math.max(1, Math.floor(table.length / count));
  return table.filter((_, at) => at % step === 0);
}

/** The first rows of a table, the hardest of which come first; or all of them. */
export function few<T>(table: readonly T[], count: number): readonly T[] {
  return EVERYTHING ? table : table.slice(0, count);
}
