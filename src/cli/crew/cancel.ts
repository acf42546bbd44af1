/** `oj crew cancel`: ends runs of crews, with their terminals. */
import { defineCommand } from "../base/command.ts";
import { cancelRuns } from "../job/cancel.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew cancel",
  summary: "Cancel crews and close their agents' terminals",
  args: "ID…",
  flags: { reason: { type: "string", value: "TEXT", help: "the reason, kept with the crew" } },
  completes: "crew",
  examples: [{ run: "oj crew cancel crew-7k3m", does: "cancels its run and closes its terminal" }],
  run: (context, ids, { reason }) => cancelRuns(context, ids.map(crewId), { reason: reason ?? null }),
});
