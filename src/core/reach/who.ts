/** Who is meant by the names in a route or an escalation: people, groups, and rotas as `@name`. */
import { suggest } from "../text/suggest.ts";
import type { Person, ReachConfig } from "./config-types.ts";
import { turnAt } from "./rota.ts";

/** The people behind some names at a moment, each once, in order. Names that nobody has are passed over. */
export function peopleOf(config: ReachConfig, names: readonly string[], at_ms: number): Person[] {
  const found = new Set(names.flatMap((it) => membersOf(config, it, at_ms)));
  return [...found].flatMap((it) => config.people.get(it) ?? []);
}

/** What is wrong with a name; null: somebody has it. */
export function nameProblem(
  config: Pick<ReachConfig, "people" | "groups" | "rotas">,
  name: string,
): string | null {
  const { people, groups, rotas } = config;
  const isRota = name.startsWith("@");
  if (isRota ? rotas.has(name.slice(1)) : people.has(name) || groups.has(name)) return null;
  const known = [...people.keys(), ...groups.keys(), ...[...rotas.keys()].map((it) => `@${it}`)];
  const near = suggest(name, known) ?? known.find((it) => it === `@${name}`);
  const what = isRota ? "rota" : "person or group";
  return `unknown ${what} "${name}"; ${near ? `did you mean "${near}"?` : knownWords(known)}`;
}

function knownWords(known: string[]): string {
  return known.length === 0 ? "there is nobody yet: add [person.NAME]" : `known are ${known.join(", ")}`;
}

function membersOf({ groups, rotas }: ReachConfig, name: string, at_ms: number): readonly string[] {
  if (!name.startsWith("@")) return groups.get(name) ?? [name];
  const rota = rotas.get(name.slice(1));
  return rota ? [turnAt(rota, at_ms).person] : [];
}
