/** At most `max_concurrency` agents of one name run at a time; whoever came first starts first. */
import type { Agent } from "../model/agent-types.ts";
import type { State } from "../model/state/state.ts";
import { isDue } from "./agent-life.ts";

export function hasRoom(state: Readonly<State>, agent: Agent): boolean {
  const { max_concurrency } = agent.def;
  return max_concurrency === undefined || before(state, agent) < max_concurrency;
}

/** How many may run, and how many of those before it have to end first. Null if it doesn't wait for its turn. */
export function queueOf(state: Readonly<State>, agent: Agent): { max: number; ahead: number } | null {
  const { max_concurrency: max } = agent.def;
  if (max === undefined || !isDue(agent) || hasRoom(state, agent)) return null;
  return { max, ahead: before(state, agent) - max + 1 };
}

export function isSame(a: Agent, b: Agent): boolean {
  return a.name === b.name && a.project === b.project;
}

function before(state: Readonly<State>, agent: Agent): number {
  let count = 0;
  for (const it of state.agents.values()) {
    if (it.id === agent.id) break;
    if (isSame(it, agent) && it.status !== "ended") count += 1;
  }
  return count;
}
