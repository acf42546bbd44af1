/** Whether an agent's program still runs in its terminal: the picture that a killed one leaves there says nothing of a dialog. */
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";

export async function isAlive(terminals: Ports["terminals"], agent_id: AgentId): Promise<boolean> {
  const listed = await terminals.list();
  return listed.some((it) => it.agent_id === agent_id && it.alive);
}
