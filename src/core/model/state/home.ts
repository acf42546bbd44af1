/**
 * Where things are at home. Agents, jobs and what they ask belong to one machine of those that share the log, and its
 * daemon alone runs their chores. Null: there is only one machine.
 */
import type { AgentId, CrewId, DecisionId, JobId, MachineName, OwnerId } from "../ids.ts";
import type { State } from "./state-types.ts";
import type { Rows } from "./table.ts";

export function homeOf(state: State, id: OwnerId | AgentId | DecisionId): MachineName | null {
  const agent = state.agents.get(id as AgentId);
  if (agent) return homeOf(state, agent.owner.id);
  const owner =
    state.jobs.get(id as JobId) ?? state.crews.get(id as CrewId) ?? state.trash.get(id as OwnerId);
  if (owner) return owner.machine ?? firstOf(state);
  const decision = state.decisions.get(id as DecisionId);
  return decision ? (decision.machine ?? firstOf(state)) : null;
}

/** What is older than the first machine belongs to it: it brought it along. */
export function firstOf({ machines }: Pick<State, "machines">): MachineName | null {
  for (const id of machines.keys()) return id;
  return null;
}

/** The state with the agents, jobs and crews of one machine alone. */
export function stateAt(state: State, machine: MachineName): State {
  const first = firstOf(state);
  const isHere = (it: { machine?: MachineName }) => (it.machine ?? first) === machine;
  return {
    ...state,
    agents: new Some(state.agents, ({ id }) => homeOf(state, id) === machine),
    crews: new Some(state.crews, isHere),
    jobs: Object.assign(new Some(state.jobs, isHere), { text: (id: JobId) => state.jobs.text(id) }),
  };
}

/** Some rows of a table. */
class Some<K, V> implements Rows<K, V> {
  private readonly rows: Rows<K, V>;
  private readonly isIn: (value: V) => boolean;

  constructor(rows: Rows<K, V>, isIn: (value: V) => boolean) {
    this.rows = rows;
    this.isIn = isIn;
  }

  get(key: K): V | undefined {
    const value = this.rows.get(key);
    return value !== undefined && this.isIn(value) ? value : undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return [...this.keys()].length;
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, value] of this.rows) if (this.isIn(value)) yield [key, value];
  }

  *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(call: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this);
  }
}
