/** Whether words stand in an agent's terminal: the only witness when their receipt was lost with a daemon. */
import type { AgentClient } from "../agents/client.ts";
import type { AgentId } from "../core/ids.ts";
import type { Ports } from "./ports.ts";

const HISTORY_LINES = 2000;

/** How often it shows them, however they are broken into lines; what is only typed does not count. */
export async function timesSaid(
  sessions: Ports["sessions"],
  client: AgentClient,
  agent_id: AgentId,
  text: string,
): Promise<number> {
  const screen = await sessions.screen(agent_id, { history: HISTORY_LINES });
  const part = bare(text);
  return part === "" ? 0 : bare(client.transcript(screen)).split(part).length - 1;
}

function bare(text: string): string {
  return text.replace(/[\s│❯⎿●]+/g, "");
}
