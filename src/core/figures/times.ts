/** How long things took: the middle, nine in ten, and how many these figures rest on. */

export interface Times {
  /** Null if there are none. */
  median_ms: number | null;
  p90_ms: number | null;
  count: number;
}

/** Each figure is one of the times themselves: the smallest that so many do not exceed. */
export function timesOf(all: readonly number[]): Times {
  const sorted = all.map((it) => Math.max(0, it)).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
  return { median_ms: at(0.5), p90_ms: at(0.9), count: sorted.length };
}
