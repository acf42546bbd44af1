/** Finds what a person means by an id: whole, or any unique prefix of it, with or without its kind. */
import type { Agent } from "./agent-types.ts";
import type { Decision } from "./decision-types.ts";
import { Refusal } from "./errors.ts";
import type { Id, Kind } from "./ids.ts";
import type { Job } from "./job-types.ts";
import type { State } from "./state.ts";

export function findDecision(state: Readonly<State>, text: string): Decision {
  return findOne(state.decisions, "dec", "decision", text);
}

export function findJob(state: Readonly<State>, text: string): Job {
  return findOne(state.jobs, "job", "job", text);
}

export function findAgent(state: Readonly<State>, text: string): Agent {
  return findOne(state.agents, "agt", "agent", text);
}

/** All ids that the given text may mean: the exact one, else those that begin with it, with or without their kind. */
export function matchId<T extends string>(ids: Iterable<T>, kind: Kind, text: string): T[] {
  const wanted = text.trim().toLowerCase();
  const prefix = wanted.startsWith(`${kind}-`) ? wanted : `${kind}-${wanted}`;
  if (prefix === `${kind}-`) return [];
  const found: T[] = [];
  for (const id of ids) {
    if (id === prefix) return [id];
    if (id.startsWith(prefix)) found.push(id);
  }
  return found;
}

const MOST_CANDIDATES = 10;

function findOne<K extends Kind, T>(
  all: Pick<ReadonlyMap<Id<K>, T>, "get" | "keys">,
  kind: K,
  word: "decision" | "job" | "agent",
  text: string,
): T {
  const exact = all.get(text as Id<K>);
  if (exact) return exact; // without a look at all the others
  const found = matchId(all.keys(), kind, text);
  const [id] = found;
  const one = id === undefined ? undefined : all.get(id);
  if (!one) throw new Refusal(`${word}.not-found`, `there is no ${word} ${text}`, `oj ${word} list`);
  if (found.length === 1) return one;
  const candidates = found.slice(0, MOST_CANDIDATES);
  const more = found.length > candidates.length ? `  and ${found.length - candidates.length} more` : "";
  throw new Refusal(
    `${word}.ambiguous`,
    `"${text}" may be ${found.length} ${word}s`,
    candidates.join("  ") + more,
    { candidates },
  );
}
