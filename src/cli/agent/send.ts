/** `oj agent send`: words for an agent, which it hears when it next waits for some. */
import { command } from "../command.ts";

export const it = command({
  name: "agent send",
  summary: "Say something to an agent",
  args: "ID TEXT…",
  flags: {},
  completes: "agent",
  examples: [
    {
      run: 'oj agent send agt-7k3m "also update the changelog"',
      does: "it hears this when its turn has ended",
    },
  ],

  async run({ client, json, out }, [id = "", ...words]) {
    const agent = await client.sendToAgent(id, { text: words.join(" ") });
    if (json) return out.json(agent);
    out.print(
      `${agent.id} will hear it ${agent.status === "idle" ? "now" : `when it next waits (it is ${agent.status})`}`,
    );
    out.say(`  → oj agent show ${agent.id}`);
  },
});
