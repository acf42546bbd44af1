/** `oj agent send`: a message for an agent, which it hears when it next waits for one. */
import type { AgentView } from "../../api/api.ts";
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

function whenHeard(agent: AgentView): string {
  const { status, incarnation, decision_id } = agent;
  if (status === "idle" || status === "errored") return "gets it now";
  if (status === "starting" && incarnation > 1) return "is being restarted to get it";
  if (isDialogLeft(agent))
    return "gets it once its open dialog is answered, but nobody has been asked to answer that";
  if (decision_id !== null) return `gets it once ${decision_id} is answered`;
  return `gets it the next time it waits (it is ${status})`;
}

/** Its dialog is open, and the question about it was dismissed. */
function isDialogLeft({ status, decision_id }: AgentView): boolean {
  return status === "prompting" && decision_id === null;
}
