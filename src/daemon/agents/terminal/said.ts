/** Tells whether an agent's terminal shows certain words: the only witness when the receipt was lost with a daemon. */
import type { AgentClient } from "../../../agents/client.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";

const HISTORY_LINES = 2000;

/** How many times the terminal shows them. */
export async function timesSaid(
  terminals: Ports["terminals"],
  client: AgentClient,
  agent_id: AgentId,
  text: string,
): Promise<number> {
  return client.timesSaid(await terminals.screen(agent_id, { history: HISTORY_LINES }), text);
}
