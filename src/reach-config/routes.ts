/** Routes as they are written in a person's config. */
import { SOURCES, URGENCIES } from "../core/model/decision-types.ts";
import type { ReachConfig, RouteDef } from "../core/reach/config-types.ts";
import { nameProblem } from "../core/reach/who.ts";
import { suggest } from "../core/text/suggest.ts";
import type { Problems, Table } from "./problems.ts";
import { isTable } from "./problems.ts";

type Known = Pick<ReachConfig, "people" | "groups" | "rotas" | "channels">;

const KEYS = ["project", "source", "urgency", "escalation", "notify", "via"];

export function readRoutes(section: unknown, known: Known, problems: Problems): RouteDef[] {
  if (section === undefined) return [];
  if (!Array.isArray(section) || !section.every(isTable)) {
    problems.add("route", "must be a list of sections, [[route]]");
    return [];
  }
  return section.map((it, index) => readRoute(`route ${index + 1}:`, it, known, problems));
}

function readRoute(key: string, table: Table, known: Known, problems: Problems): RouteDef {
  for (const own of Object.keys(table)) {
    if (!KEYS.includes(own)) problems.add(key, `unknown key "${own}"; ${didYouMean(own, KEYS)}`);
  }
  const notify = problems.texts(`${key} notify`, table.notify);
  const escalation = problems.text(`${key} escalation`, table.escalation);
  if (table.notify === undefined && table.escalation === undefined)
    problems.add(key, "says nobody: it needs notify (which may be empty, to keep quiet) or escalation");
  for (const name of notify ?? []) {
    const wrong = nameProblem(known, name);
    if (wrong !== null) problems.add(key, `notify names an ${wrong}`);
  }
  const via = problems.texts(`${key} via`, table.via);
  for (const name of via ?? []) {
    if (!known.channels.has(name))
      problems.add(
        key,
        `via names "${name}", which is not configured; ${didYouMean(name, [...known.channels.keys()])}`,
      );
  }
  return {
    project: problems.texts(`${key} project`, table.project),
    source: oneOf(SOURCES, `${key} source`, table.source, problems),
    urgency: oneOf(URGENCIES, `${key} urgency`, table.urgency, problems),
    escalation,
    notify: notify ?? [],
    via,
  };
}

function oneOf<T extends string>(
  known: readonly T[],
  key: string,
  value: unknown,
  problems: Problems,
): T[] | null {
  const texts = problems.texts(key, value);
  for (const text of texts ?? []) {
    if (!(known as readonly string[]).includes(text))
      problems.add(key, `"${text}" is unknown; ${didYouMean(text, known)}`);
  }
  return texts as T[] | null;
}

function didYouMean(word: string, known: readonly string[]): string {
  const near = suggest(word, known);
  return near ? `did you mean "${near}"?` : `known are ${known.join(", ")}`;
}
