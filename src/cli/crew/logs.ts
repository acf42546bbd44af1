/** `oj crew logs`: what the terminal of a crew's agent printed. */
import { defineCommand } from "../base/command.ts";
import { logFlags, showLogs } from "../job/logs.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew logs",
  summary: "Show what a crew's terminal printed",
  args: "ID",
  flags: logFlags,
  completes: "crew",
  examples: [{ run: "oj crew logs crew-7k3m -n 50", does: "the last 50 lines" }],
  run: (context, [id = ""], flags) => showLogs(context, crewId(id), flags),
});
