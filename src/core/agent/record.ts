/** Records what others tried with an agent, or what it tried with us. Nothing else changes. */
import type { Fact } from "../model/events.ts";
import type { AgentId } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";

/**
 * The agent tried something that it may not do. `unnoted` is how many refusals since the last record were only counted.
 */
export function callRefused(
  state: Readonly<State>,
  { id, ...what }: { id: AgentId; call: string; reason: string; unnoted: number },
): Fact[] {
  const agent = state.agents.get(id);
  return agent ? [{ type: "agent:refused", id, project: agent.project, ...what }] : [];
}

/** Somebody sent keys to the agent's terminal through tmux's socket, `times` times since the last record. */
export function keysSent(state: Readonly<State>, { id, times }: { id: AgentId; times: number }): Fact[] {
  const agent = state.agents.get(id);
  return agent ? [{ type: "agent:keyed", id, project: agent.project, times }] : [];
}
