/** `oj crew logs`: what the terminal of a crew's agent printed, or its gates. */
import { defineCommand } from "../base/command.ts";
import { logFlags, showLogs } from "../job/logs.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew logs",
  summary: "Show what a crew's terminal printed",
  args: "ID",
  flags: {
    ...logFlags,
    gates: { type: "boolean", help: "what its gates printed, in place of its terminal" },
  },
  completes: "crew",
  examples: [
    { run: "oj crew logs crew-7k3m -n 50", does: "the last 50 lines" },
    { run: "oj crew logs crew-7k3m --gates", does: "each gate: its command, all it printed, how it ended" },
  ],
  run: (context, [id = ""], flags) => showLogs(context, crewId(id), flags),
});
