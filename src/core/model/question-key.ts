/** Tells which decisions ask the same thing, in a few letters: numbers and ids in the title make no difference. */
import type { Decision } from "./decision-types.ts";

export function questionKey({
  project,
  source,
  title,
}: Pick<Decision, "project" | "source" | "title">): string {
  const words = title.toLowerCase().replace(/\b(?=\w*\d)[\w-]+/g, "#");
  return hash53(`${project}\n${source}\n${words}`).toString(36);
}

/** cyrb53, which is in the public domain: not for secrets, but for thousands of texts it is fast and doesn't collide. */
function hash53(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
