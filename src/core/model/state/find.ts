/** Finds what a person means by an id: the whole id or any unique prefix of it, with or without its kind. */
import type { Agent, Crew } from "../agent-types.ts";
import type { Decision } from "../decision-types.ts";
import { Refusal } from "../errors.ts";
import type { Id, Kind } from "../ids.ts";
import type { Job } from "../job-types.ts";
import type { State } from "./state.ts";

export function findDecision(state: Readonly<State>, text: string): Decision {
  return findOne(state.decisions, "dec", "decision", text);
}

export function findJob(state: Readonly<State>, text: string): Job {
  return findOne(state.jobs, "job", "job", text);
}

/** An agent by its own id, or a crew's agent by the crew's id. */
export function findAgent(state: Readonly<State>, text: string): Agent {
  if (isOf("crew", text)) return findOne(state.agents, "agt", "agent", findCrew(state, text).agent_id);
  const crews = isOf("agt", text) ? [] : matchId(state.crews.keys(), "crew", text);
  if (crews.length === 0) return findOne(state.agents, "agt", "agent", text);
  const agents = matchId(state.agents.keys(), "agt", text);
  const known = new Set([...agents, ...crews.flatMap((id) => state.crews.get(id)?.agent_id ?? [])]);
  const [only = ""] = known;
  if (known.size > 1) throw ambiguous("agent", text, [...agents, ...crews], "agents and crews");
  return findOne(state.agents, "agt", "agent", only);
}

export function findCrew(state: Readonly<State>, text: string): Crew {
  return findOne(state.crews, "crew", "crew", text);
}

/** What `oj run` started: a job or a crew. An id without its kind may be either. */
export function findRun(state: Readonly<State>, text: string): Job | Crew {
  if (isOf("job", text)) return findJob(state, text);
  if (isOf("crew", text)) return findCrew(state, text);
  const jobs = matchId(state.jobs.keys(), "job", text);
  const crews = matchId(state.crews.keys(), "crew", text);
  if (crews.length === 0) return findJob(state, text);
  if (jobs.length === 0) return findCrew(state, text);
  throw ambiguous("job", text, [...jobs, ...crews], "jobs and crews");
}

export function isCrew(run: Job | Crew): run is Crew {
  return isOf("crew", run.id);
}

function isOf(kind: Kind, text: string): boolean {
  return text.trim().toLowerCase().startsWith(`${kind}-`);
}

/**
 * All ids that the given text may mean: the exact one, or
 * otherwise those that begin with it, with or without their kind.
 */
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

type Word = "decision" | "job" | "agent" | "crew";

function findOne<K extends Kind, T>(
  all: Pick<ReadonlyMap<Id<K>, T>, "get" | "keys">,
  kind: K,
  word: Word,
  text: string,
): T {
  const exact = all.get(text as Id<K>);
  if (exact) return exact; // no need to look at the others
  const found = matchId(all.keys(), kind, text);
  const [id] = found;
  const one = id === undefined ? undefined : all.get(id);
  if (!one) throw new Refusal(`${word}.not-found`, `there is no ${word} ${text}`, `oj ${word} list`);
  if (found.length === 1) return one;
  throw ambiguous(word, text, found, `${word}s`);
}

function ambiguous(word: Word, text: string, found: readonly string[], what: string): Refusal {
  const candidates = found.slice(0, MOST_CANDIDATES);
  const more = found.length > candidates.length ? `  and ${found.length - candidates.length} more` : "";
  return new Refusal(
    `${word}.ambiguous`,
    `"${text}" matches ${found.length} ${what}`,
    candidates.join("  ") + more,
    { candidates },
  );
}
