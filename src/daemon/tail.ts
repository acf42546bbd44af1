/** The last lines of an agent's terminal, which go with every question about it. */
import type { AgentId } from "../core/ids.ts";
import type { Ports } from "./ports.ts";

const TAIL_LINES = 50;
/** A question does not wait for a terminal that does not answer. */
const WITHIN_MS = 2000;

/** Nothing where there is no terminal (any more), or it can't be read just now. */
export async function tailOf(
  { sessions, clock }: Pick<Ports, "sessions" | "clock">,
  agent_id: AgentId,
): Promise<string> {
  let disarm = () => {};
  const late = new Promise<string>((resolve) => {
    disarm = clock.after(WITHIN_MS, () => resolve(""));
  });
  const shown = sessions.screen(agent_id, { history: TAIL_LINES }).catch(() => "");
  const screen = await Promise.race([shown, late]);
  disarm();
  return screen.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}
