/** The last lines of an agent's terminal, which are shown with every question about the agent. */
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import { Unreachable } from "../../../ports.ts";

const TAIL_LINES = 50;
/** A question does not wait for a terminal that doesn't respond. */
const WITHIN_MS = 2000;
const MAX_LOOKS = 4;

/** Stands where the lines would, so that nobody takes a terminal that hangs for an empty one. */
export const UNREAD = "(oj could not read them: the terminal did not respond)";

/** Empty if the terminal does not exist (any more). */
export async function tailOf(
  { terminals, clock }: Pick<Ports, "terminals" | "clock">,
  agent_id: AgentId,
): Promise<string> {
  let disarm = () => {};
  const late = new Promise<string>((resolve) => {
    disarm = clock.after(WITHIN_MS, () => resolve(UNREAD));
  });
  const screen = await Promise.race([settledScreen(terminals, agent_id).catch(unread), late]);
  disarm();
  return screen.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}

function unread(error: unknown): string {
  return error instanceof Unreachable ? UNREAD : "";
}

/** A report may overtake what was printed just before it. By the second look, the terminal has caught up. */
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
