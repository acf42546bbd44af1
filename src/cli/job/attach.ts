/** `oj job attach`: your terminal becomes that of the agent in a job's current step. */
import { attach } from "../base/attach.ts";
import { defineCommand } from "../base/command.ts";
import { agentOf } from "../owner/agent-of.ts";

export const command = defineCommand({
  name: "job attach",
  summary: "Attach to the terminal of a job's agent",
  args: "ID",
  flags: {},
  completes: "job",
  examples: [{ run: "oj job attach job-7k3m", does: "Ctrl-b d detaches; the agent keeps running" }],
  run: async (context, [id = ""]) => attach(context, await agentOf(context, id)),
});
