/** Secrets that are known by their value, so that no word around them has to tell. */

/** Takes them out of every text in a value. */
export type Hide = <T>(value: T) => T;

const MARK = "[redacted value]";

export function hiding(secrets: Iterable<string>): Hide {
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length); // one may begin as another does
  if (longestFirst.length === 0) return (value) => value;
  const pattern = new RegExp(longestFirst.map(quoted).join("|"), "g");
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return value.replace(pattern, MARK);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(
      Object.entries(value).map(([key, it]) => [key.replace(pattern, MARK), walk(it)]),
    );
  };
  return (value) => walk(value) as typeof value;
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
