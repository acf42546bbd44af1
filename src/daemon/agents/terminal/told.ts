/** Whether an agent has something to read when it starts. */
import type { Agent } from "../../../core/model/agent-types.ts";

/**
 * Whether the agent was started with something to read: its task, or what it missed. Words that came later wait until
 * it is idle.
 */
export function hasToHear({ def, outbox }: Agent): boolean {
  const isTold = outbox.some((it) => it.state === "delivered");
  return (def.prompt ?? "") !== "" || def.prompt_file !== undefined || isTold;
}
