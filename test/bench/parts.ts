/** Which parts of the benchmarks run. */

/** They install programs of others, so they run when `--only` names them and never by default. */
const NAMED_ONLY: readonly string[] = ["nodes", "peers"];

/** Their names, or what is wrong with what was asked for. */
export function partsFor(only: string | undefined, all: readonly string[]): string[] | string {
  if (only === undefined) return all.filter((it) => !NAMED_ONLY.includes(it));
  const named = only.split(",").map((it) => it.trim());
  const unknown = named.filter((it) => !all.includes(it));
  if (unknown.length > 0) return `there is no part ${unknown.join(", ")}; there are ${all.join(", ")}`;
  return all.filter((it) => named.includes(it));
}
