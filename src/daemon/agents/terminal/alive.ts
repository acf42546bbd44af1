/**
 * Tells whether an agent's program still runs in its terminal. The last screen of a killed program says nothing about a
 * dialog.
 */
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";

export async function isAlive(terminals: Ports["terminals"], agent_id: AgentId): Promise<boolean> {
  const listed = await terminals.list();
  return listed.some((it) => it.agent_id === agent_id && it.alive);
}
