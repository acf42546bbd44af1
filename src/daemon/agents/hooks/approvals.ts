/**
 * Keeps what people approved, call by call. Each call may run exactly as it was shown, however many others were
 * approved since.
 */
import type { AgentId } from "../../../core/model/ids.ts";

export interface Approvals {
  /** Notes that the call `use` was approved. `name` describes the call down to the last character. */
  add(agent_id: AgentId, use: string, name: string): void;
  /** The name under which the call was approved; null if nobody was asked. */
  of(agent_id: AgentId, use: string): string | null;
  /** The call has run, or was refused. */
  ended(agent_id: AgentId, use: string): void;
  forget(agent_id: AgentId): void;
}

/** Calls whose end was never reported are forgotten, oldest first. */
const MOST = 200;

export function startApprovals(): Approvals {
  const approved = new Map<AgentId, Map<string, string>>();
  return {
    add(agent_id, use, name) {
      const toolCalls = approved.get(agent_id) ?? new Map<string, string>();
      approved.set(agent_id, toolCalls);
      toolCalls.set(use, name);
      const [oldest] = toolCalls.keys();
      if (toolCalls.size > MOST && oldest !== undefined) toolCalls.delete(oldest);
    },
    of: (agent_id, use) => approved.get(agent_id)?.get(use) ?? null,
    ended(agent_id, use) {
      approved.get(agent_id)?.delete(use);
    },
    forget(agent_id) {
      approved.delete(agent_id);
    },
  };
}
