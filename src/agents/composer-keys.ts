/** The keys that empty the composer of a client. */

const MIN_ROWS = 5;

/**
 * Each C-u deletes what is before the cursor in its row, or the line break before that. Each C-k does the same after
 * the cursor. Without any text they do nothing.
 */
export function clearing(draft: string): string[] {
  const times = 2 * Math.max(MIN_ROWS, draft.split("\n").length);
  return [...Array(times).fill("C-u"), ...Array(times).fill("C-k")];
}
