/**
 * Versions of oj, as semver orders them: a pre-release comes before its release, and what follows a plus doesn't count.
 */

/** The file in the state folder that names the version of a daemon that is about to start in place of an older one. */
export const SUCCESSOR = "successor";

interface Version {
  numbers: [major: number, minor: number, patch: number];
  /** The parts of a pre-release; empty for a release. */
  before: string[];
}

/** Negative if `a` is older; null if one of them is not a version. */
export function compareVersions(a: string, b: string): number | null {
  const [left, right] = [parse(a), parse(b)];
  if (!left || !right) return null;
  for (const [n, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return compareParts(left.before, right.before);
}

/**
 * How the caller's version compares with the daemon's. A newer caller replaces the daemon; an older one uses it as it
 * is, because the interface only grows within a major version. So if two versions call in turn, one wins.
 */
export function meeting(caller: string, daemon: string): "same" | "newer" | "older" | "too-old" | "unknown" {
  const order = compareVersions(caller, daemon);
  if (order === null) return "unknown";
  if (order === 0) return "same";
  if (order > 0) return "newer";
  return parse(caller)?.numbers[0] === parse(daemon)?.numbers[0] ? "older" : "too-old";
}

function parse(text: string): Version | null {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text.trim());
  if (!found) return null;
  const [, major, minor, patch, before] = found;
  return { numbers: [Number(major), Number(minor), Number(patch)], before: before ? before.split(".") : [] };
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Number(a.length === 0) - Number(b.length === 0);
  for (let n = 0; n < Math.max(a.length, b.length); n++) {
    const [left, right] = [a[n], b[n]];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    if (left === right) continue;
    const [isNumber, isOther] = [left, right].map((it) => /^\d+$/.test(it));
    if (isNumber && isOther && Number(left) !== Number(right)) return Number(left) - Number(right);
    if (isNumber !== isOther) return isNumber ? -1 : 1; // numbers come before words
    if (!isNumber) return left < right ? -1 : 1;
  }
  return 0;
}
