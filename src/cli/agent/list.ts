/** `oj agent list`: every living agent, with what it is doing. */
import type { AgentView } from "../../api/api.ts";
import { shortAge } from "../../core/text/words.ts";
import { agentRemark } from "../../inbox/fleet/agent-remark.ts";
import { table, tableWidth, truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { chosenProject, projectFlag } from "../base/values.ts";

export const command = defineCommand({
  name: "agent list",
  summary: "List running agents",
  args: "",
  flags: {
    all: { type: "boolean", help: "include agents that have ended" },
    ...projectFlag,
  },
  examples: [{ run: "oj agent list", does: "each with its state and the job or crew it works for" }],

  async run(context, _, flags) {
    const { client, json, out } = context;
    const all = await client.agents(chosenProject(context, flags.project));
    const agents = flags.all ? all : all.filter((it) => it.status !== "ended");
    if (json) return out.json(agents);
    if (agents.length === 0) return out.print("no agents are running");
    for (const line of lines(agents, context)) out.print(line);
  },
});

const LONGEST = 28;

function lines(agents: AgentView[], { out, now }: Context): string[] {
  const rows = agents.map((it) => [
    it.id,
    truncate(safeLine(it.name), LONGEST),
    it.status,
    shortAge(now() - it.changed_at_ms),
    truncate(
      safeLine(it.owner.kind === "job" ? `${it.owner.name} · ${it.owner.step}` : `crew ${it.owner.name}`),
      LONGEST,
    ),
    it.decision_id ?? agentRemark(it, now()),
  ]);
  const paint = (cell: string, row: number) => (row === 0 ? out.style.dim(cell) : cell);
  return table([["AGENT", "NAME", "STATE", "SINCE", "FOR", "ASKS"], ...rows], {
    width: tableWidth(out),
    paint,
  });
}
