/** `oj agent kill`: ends an agent's terminal, with every process in it. */
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "agent kill",
  summary: "Kill an agent and close its terminal",
  args: "ID",
  flags: {},
  completes: "agent",
  examples: [{ run: "oj agent kill agt-7k3m", does: "its runbook's on_dead says what happens next" }],

  async run({ client, json, out }, [id = ""]) {
    const agent = await client.killAgent(id);
    if (json) return out.json(agent);
    out.print(`killing ${agent.id}`);
    out.say(`  → oj agent show ${agent.id}`);
  },
});
