/** Which commands are called all day, including by scripts and status bars: they start from a small file of their own. */

export const FREQUENT = ["status", "decision list", "decision show", "decision resolve"] as const;

/** Other words for the same command. */
export const aliases: Readonly<Record<string, string>> = {
  decisions: "decision list",
};

/** The frequent command that the words clearly name, if no help is wanted; and the words after it. */
export function findFrequent(
  argv: readonly string[],
): { name: (typeof FREQUENT)[number]; words: string[] } | null {
  if (argv.some((word) => word === "--help" || word === "--version" || /^-\w*h/.test(word))) return null;
  const [first = "", second = ""] = argv;
  const one = FREQUENT.find((it) => it === (aliases[first] ?? first));
  if (one) return { name: one, words: argv.slice(1) };
  const two = FREQUENT.find((it) => it === `${first} ${second}`);
  return two ? { name: two, words: argv.slice(2) } : null;
}
