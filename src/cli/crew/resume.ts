/** `oj crew resume`: a crew whose question was dismissed, or one that failed, goes on. */
import { command } from "../command.ts";
import { resumeRun } from "../job/resume.ts";
import { crewId } from "./id.ts";

export const it = command({
  name: "crew resume",
  summary: "Let a dismissed or failed crew go on",
  args: "ID",
  flags: { message: { type: "string", short: "m", value: "TEXT", help: "what its agent is told" } },
  completes: "crew",
  examples: [
    {
      run: "oj crew resume crew-7k3m",
      does: "its agent goes on, started again if it has to be; an open dialog is asked about again",
    },
    { run: 'oj crew resume crew-7k3m -m "try the other branch"', does: "the same, in your words" },
  ],
  run: (context, [id = ""], { message }) => resumeRun(context, crewId(id), message ?? null),
});
