/** `oj crew show`: one crew, with what its agent does and what it waits for. */
import { defineCommand } from "../base/command.ts";
import { showRun } from "../job/show.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew show",
  summary: "Show a crew, its agent and what it is waiting for",
  args: "ID",
  flags: {},
  completes: "crew",
  examples: [
    { run: "oj crew show crew-7k3m", does: "its state, its agent and what to type next" },
    { run: "oj crew show crew-7k3m -o json | jq -r .status", does: "one word for a script" },
  ],
  run: (context, [id = ""]) => showRun(context, crewId(id)),
});
