/** `oj agent send`: words for an agent, which it hears when it next waits for some. */
import type { AgentView } from "../../api.ts";
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
    out.print(`${agent.id} ${whenHeard(agent)}`);
    const { owner } = agent;
    out.say(`  → oj ${isDialogLeft(agent) ? `${owner.kind} resume ${owner.id}` : `agent show ${agent.id}`}`);
  },
});

function whenHeard(agent: AgentView): string {
  const { status, incarnation, decision_id } = agent;
  if (status === "idle" || status === "errored") return "will hear it now";
  if (status === "starting" && incarnation > 1) return "is started again to hear it";
  if (isDialogLeft(agent)) return "will hear it once its dialog is answered, which nobody is asked about";
  if (decision_id !== null) return `will hear it once ${decision_id} is answered`;
  return `will hear it when it next waits (it is ${status})`;
}

/** Its dialog stands open, and the question about it was dismissed. */
function isDialogLeft({ status, decision_id }: AgentView): boolean {
  return status === "prompting" && decision_id === null;
}
