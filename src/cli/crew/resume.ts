/** `oj crew resume`: continues a crew whose question was dismissed, or one that failed. */
import { defineCommand } from "../base/command.ts";
import { resumeRun } from "../job/resume.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew resume",
  summary: "Resume a dismissed or failed crew",
  args: "ID",
  flags: { message: { type: "string", short: "m", value: "TEXT", help: "a message for its agent" } },
  completes: "crew",
  examples: [
    {
      run: "oj crew resume crew-7k3m",
      does: "its agent continues, restarted if necessary; an open dialog is asked about again",
    },
    {
      run: 'oj crew resume crew-7k3m -m "try the other branch"',
      does: "the same, with a message of your own",
    },
  ],
  run: (context, [id = ""], { message }) => resumeRun(context, crewId(id), message ?? null),
});
