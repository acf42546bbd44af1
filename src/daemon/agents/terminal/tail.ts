/** The last lines of an agent's terminal, which go with every question about it. */
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";

const TAIL_LINES = 50;
/** A question does not wait for a terminal that does not answer. */
const WITHIN_MS = 2000;
const MAX_LOOKS = 4;

/** Nothing where there is no terminal (any more), or it can't be read just now. */
export async function tailOf(
  { terminals, clock }: Pick<Ports, "terminals" | "clock">,
  agent_id: AgentId,
): Promise<string> {
  let disarm = () => {};
  const late = new Promise<string>((resolve) => {
    disarm = clock.after(WITHIN_MS, () => resolve(""));
  });
  const screen = await Promise.race([settledScreen(terminals, agent_id).catch(() => ""), late]);
  disarm();
  return screen.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}

/** A report may overtake what was printed just before it: the terminal has read that by the time of the second look. */
async function settledScreen(terminals: Ports["terminals"], agent_id: AgentId): Promise<string> {
  const look = () => terminals.screen(agent_id, { history: TAIL_LINES });
  let screen = await look();
  for (let n = 1; n < MAX_LOOKS; n++) {
    const next = await look();
    if (next === screen) break;
    screen = next;
  }
  return screen;
}
