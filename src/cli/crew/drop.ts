/** `oj crew drop`: takes failed crews out of the inbox. They stay as they are, and can still be resumed. */
import { defineCommand } from "../base/command.ts";
import { dropRuns } from "../job/drop.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew drop",
  summary: "Take failed crews out of the inbox",
  args: "ID…",
  flags: {},
  completes: "crew",
  examples: [{ run: "oj crew drop crew-7k3m", does: "you know about it, and it needs no retry" }],
  run: (context, ids) => dropRuns(context, ids.map(crewId)),
});
