/** Which Claude Code we are tested with. An older one may lack what we rely on; a newer one may have changed it. */
export const TESTED_VERSION = "2.1.325";

/** What to say about the version that the client reports; null if there is nothing to say. */
export function olderThanTested(version: string | null): string | null {
  const [installed, tested] = [version, TESTED_VERSION].map((it) => /\d+(\.\d+)+/.exec(it ?? "")?.[0]);
  if (installed === undefined || tested === undefined || compare(installed, tested) >= 0) return null;
  return `Claude Code ${installed} is older than ${tested}, which oj is tested with`;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((it) => it.split(".").map(Number));
  for (const [n, part] of (right ?? []).entries()) {
    const difference = (left?.[n] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return 0;
}
