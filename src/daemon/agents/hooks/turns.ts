/**
 * Keeps how far each agent's client has come since this daemon started it, according to its hooks. This is in memory
 * only: about an agent that an earlier daemon started, nothing is known until its next hook.
 */
import type { Turn } from "../../../agents/client.ts";
import type { AgentId } from "../../../core/model/ids.ts";

export interface Turns {
  started(agent_id: AgentId): void;
  came(agent_id: AgentId, turn: Turn): void;
  of(agent_id: AgentId): Turn | "starting" | null;
  forget(agent_id: AgentId): void;
}

export function startTurns(): Turns {
  const turns = new Map<AgentId, Turn | "starting">();
  return {
    started: (agent_id) => void turns.set(agent_id, "starting"),
    came: (agent_id, turn) => void turns.set(agent_id, turn),
    of: (agent_id) => turns.get(agent_id) ?? null,
    forget: (agent_id) => void turns.delete(agent_id),
  };
}
