/** Whether an agent's terminal is there. Only whoever started it knows; its own reports may come first, and are no proof of which start they are from. */
import type { Agent } from "../model/agent-types.ts";

/** Its start is owed or under way, whatever it has reported meanwhile: nothing can be brought to it before that is recorded. */
export function isDue({ spawned, status }: Pick<Agent, "spawned" | "status">): boolean {
  return !spawned && status !== "exited" && status !== "ended";
}
