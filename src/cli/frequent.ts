/**
 * The commands that are called all day, also by scripts and status bars. The binary carries only these; what the others
 * need is a file of its own, because even code that is not run takes time to read.
 */
import type { Command } from "./command.ts";

export type Load = () => Promise<{ it: Command }>;

export const frequent: Readonly<Record<string, Load>> = {
  status: () => import("./status.ts"),
  "decision list": () => import("./decision/list.ts"),
  "decision show": () => import("./decision/show.ts"),
  "decision resolve": () => import("./decision/resolve.ts"),
};

/** Other words for the same command. */
export const aliases: Readonly<Record<string, string>> = {
  decisions: "decision list",
};

/** The frequent command that the words name without any doubt, and no help is wanted. */
export function frequentName(argv: readonly string[]): string | null {
  if (argv.some((word) => word === "--help" || word === "--version" || /^-\w*h/.test(word))) return null;
  const [first = "", second = ""] = argv;
  const name = [`${first} ${second}`, aliases[first] ?? first].find((it) => Object.hasOwn(frequent, it));
  return name ?? null;
}
