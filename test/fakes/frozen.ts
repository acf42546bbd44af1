/** Freezes all values of a state, so that a rule or a fold that changes one in place throws. */
import type { State } from "../../src/core/model/state/state.ts";

export function frozen<S extends State>(state: S): S {
  // a decision kept as text becomes an object here
  for (const id of state.decisions.keys()) freeze(state.decisions.get(id));
  for (const rows of [
    state.jobs,
    state.agents,
    state.crews,
    state.sessions,
    state.queues,
    state.retries,
    state.trash,
  ])
    for (const it of rows.values()) freeze(it);
  return state;
}

export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const it of Object.values(value)) freeze(it);
  return value;
}
