/** Which version of a client we are tested with. An older one may lack what we rely on; a newer one may have changed it. */

/** What to say about the version that the client reports; null if there is nothing to say. */
export function olderThan(title: string, tested: string, version: string | null): string | null {
  const installed = /\d+(\.\d+)+/.exec(version ?? "")?.[0];
  if (installed === undefined || compare(installed, tested) >= 0) return null;
  return `${title} ${installed} is older than ${tested}, which oj is tested with`;
}

/** How a version that is not older stands to the one that we are tested with. */
export function testedness(tested: string, version: string): string {
  const installed = /\d+(\.\d+)+/.exec(version)?.[0];
  if (installed === tested) return `${installed}, which oj is tested with`;
  if (installed !== undefined) return `${installed}; not tested: oj is tested with ${tested}`;
  return `${version}, of unknown version; oj is tested with ${tested}`;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((it) => it.split(".").map(Number));
  for (const [n, part] of (right ?? []).entries()) {
    const difference = (left?.[n] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return 0;
}
