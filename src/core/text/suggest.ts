/** "Did you mean …?": the nearest known word, or none if nothing is near. The caller words the question. */

const LONGEST_WORD = 64;

export function suggest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > LONGEST_WORD) return null;
  const near = Math.max(1, Math.floor(word.length / 3));
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_WORD) continue;
    const isFar = Math.abs(candidate.length - word.length) > near;
    if (isFar && !isStartOf(word, candidate)) continue;
    const distance = isFar ? 1 : editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= near && distance < word.length && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate ?? null;
}

/** `desc` means `description`, though it is many letters away. */
function isStartOf(word: string, candidate: string): boolean {
  return word.length >= 3 && candidate.toLowerCase().startsWith(word.toLowerCase());
}

/** Letters to insert, remove, change or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(change, swap, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}
