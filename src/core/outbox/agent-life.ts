/**
 * Whether an agent's terminal exists. Only the code that starts it knows: the agent's own reports may arrive earlier,
 * and don't prove which start they come from.
 */
import type { Agent } from "../model/agent-types.ts";

/**
 * The agent's start is owed or under way, whatever it has reported so far. Nothing can be delivered to it before the
 * start is recorded.
 */
export function isDue({ spawned, status }: Pick<Agent, "spawned" | "status">): boolean {
  return !spawned && status !== "exited" && status !== "ended";
}
