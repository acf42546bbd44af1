/** `oj crew delete`: removes a crew that has ended, with its output and decisions. */
import { defineCommand } from "../base/command.ts";
import { deleteRun } from "../job/delete.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew delete",
  summary: "Remove a crew that has ended, with its output and decisions",
  args: "ID",
  flags: {},
  completes: "crew",
  examples: [
    {
      run: "oj crew delete crew-7k3m",
      does: "removes it; cancel it first if it has not ended",
    },
  ],
  run: (context, [id = ""]) => deleteRun(context, crewId(id)),
});
