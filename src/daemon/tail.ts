/** The last lines of an agent's terminal, which go with every question about it. */
import type { AgentId } from "../core/ids.ts";
import type { Ports } from "./ports.ts";

const TAIL_LINES = 50;

/** Nothing where there is no terminal (any more). */
export async function tailOf(sessions: Ports["sessions"], agent_id: AgentId): Promise<string> {
  const screen = await sessions.screen(agent_id, { history: TAIL_LINES }).catch(() => "");
  return screen.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}
