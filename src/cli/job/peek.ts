/** `oj job peek`: the screen of the agent that a job is at. */
import { peek } from "../agent/peek.ts";
import { command } from "../command.ts";
import { agentOf } from "./agent-of.ts";

export const it = command({
  name: "job peek",
  summary: "Show the screen of a job's agent",
  args: "ID",
  flags: { ansi: { type: "boolean", help: "with its colours; only for a screen you trust" } },
  completes: "job",
  examples: [{ run: "oj job peek job-7k3m", does: "its agent's screen as text" }],
  run: async (context, [id = ""], { ansi }) => peek(context, await agentOf(context, id), ansi ?? false),
});
