/** `oj crew wait`: returns when crews have ended; the exit code says how. */
import { defineCommand } from "../base/command.ts";
import { waitFlags, waitForRuns } from "../job/wait.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew wait",
  summary: "Wait for crews to end; the exit code says how",
  args: "ID…",
  flags: waitFlags,
  completes: "crew",
  examples: [
    {
      run: "oj crew wait crew-7k3m --timeout 1h",
      does: "exit codes: 0 completed, 1 failed, 4 cancelled, 5 timeout",
    },
  ],
  run: (context, ids, flags) => waitForRuns(context, ids.map(crewId), flags),
});
