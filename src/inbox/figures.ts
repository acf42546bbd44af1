/** How figures are worded, in every inbox. */

/** "0.4s", "12s", "3m", "5.2h", "2d": how long something took. */
export function spanWords(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10}s`;
  if (ms < 100_000) return `${Math.round(ms / 1000)}s`;
  if (ms < 100 * 60_000) return `${Math.round(ms / 60_000)}m`;
  if (ms < 48 * 3_600_000) return `${Math.round(ms / 360_000) / 10}h`;
  return `${Math.round(ms / 8_640_000) / 10}d`;
}
