/** `oj crew list`: every crew, newest first, with what it waits for. */
import { CREW_STATUSES } from "../../core/model/agent-types.ts";
import { defineCommand } from "../base/command.ts";
import { chosenProject, oneOf, projectFlag } from "../base/values.ts";
import { listLines } from "../job/list.ts";

export const command = defineCommand({
  name: "crew list",
  summary: "List crews, newest first",
  args: "",
  flags: {
    status: { type: "string", value: "STATUS", help: `only ${CREW_STATUSES.join(", ")}` },
    ...projectFlag,
  },
  examples: [
    { run: "oj crew list", does: "each with its status, agent, age and what it is waiting for" },
    { run: "oj crew list --status waiting", does: "the ones that need you" },
  ],

  async run(context, _, flags) {
    const { client, json, out } = context;
    const status = oneOf("--status", flags.status, CREW_STATUSES);
    const crews = await client.crews({
      ...(status ? { status } : {}),
      ...chosenProject(context, flags.project),
    });
    if (json) return out.json(crews);
    if (crews.length === 0) {
      out.print(status ? `no crews are ${status}` : "there are no crews");
      return out.say("  → oj run");
    }
    const pending = crews.some((it) => it.pending_decision) ? await client.decisions() : [];
    for (const line of listLines(crews, pending, context, ["CREW", "AGENT"])) out.print(line);
  },
});
