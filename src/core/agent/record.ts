/** What others tried with an agent, or it tried with us: put on record, and nothing that it becomes by it. */
import type { Fact } from "../model/events.ts";
import type { AgentId } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";

/** It tried what it may not; `unnoted` were refused since the one before, and only counted. */
export function callRefused(
  state: Readonly<State>,
  { id, ...what }: { id: AgentId; call: string; reason: string; unnoted: number },
): Fact[] {
  const agent = state.agents.get(id);
  return agent ? [{ type: "agent:refused", id, project: agent.project, ...what }] : [];
}

/** Somebody sent keys to its terminal through tmux's socket, so many times since the last record. */
export function keysSent(state: Readonly<State>, { id, times }: { id: AgentId; times: number }): Fact[] {
  const agent = state.agents.get(id);
  return agent ? [{ type: "agent:keyed", id, project: agent.project, times }] : [];
}
