/** `oj job peek`: the screen of the agent in a job's current step. */
import { peekCommand } from "../agent/peek.ts";
import { agentOf } from "../owner/agent-of.ts";

export const command = peekCommand({
  of: "job",
  summary: "Show the screen of a job's agent",
  example: { run: "oj job peek job-7k3m", does: "its agent's screen as text" },
  agentOf,
});
