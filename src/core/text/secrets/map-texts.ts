/** How deep lists and objects are followed. What lies deeper is left out, because nobody would read it in a message. */
const MAX_DEPTH = 100;

/** The same value with each of its texts replaced: `name` is the field that it stands in, if it is not a name itself. */
export function mapTexts<T>(value: T, text: (it: string, name: string | null) => string): T {
  const walk = (it: unknown, name: string | null, depth: number): unknown => {
    if (typeof it === "string") return text(it, name);
    if (typeof it !== "object" || it === null) return it;
    if (depth === 0) return "[too deep to show]";
    if (Array.isArray(it)) return it.map((one) => walk(one, name, depth - 1));
    return Object.fromEntries(
      Object.entries(it).map(([key, one]) => [text(key, null), walk(one, key, depth - 1)]),
    );
  };
  return walk(value, null, MAX_DEPTH) as T;
}
