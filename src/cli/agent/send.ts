/** `oj agent send`: a message for an agent, which it hears when it next waits for one. */
import { isDialogLeft, whenHeard } from "../../inbox/fleet/when-heard.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "agent send",
  summary: "Send a message to an agent",
  args: "ID TEXT…",
  flags: {},
  completes: "agent",
  examples: [
    {
      run: 'oj agent send agt-7k3m "also update the changelog"',
      does: "it gets this when its turn ends",
    },
  ],

  async run({ client, json, out }, [id = "", ...words]) {
    const agent = await client.sendToAgent(id, { text: words.join(" ") });
    if (json) return out.json(agent);
    out.print(`${agent.id} ${whenHeard(agent)}`);
    const { owner } = agent;
    out.say(`  → oj ${isDialogLeft(agent) ? `${owner.kind} resume ${owner.id}` : `agent show ${agent.id}`}`);
  },
});
