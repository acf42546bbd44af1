/** `oj crew attach`: your terminal becomes that of a crew's agent. */
import { attach } from "../base/attach.ts";
import { defineCommand } from "../base/command.ts";
import { crewId } from "../owner/id.ts";

export const command = defineCommand({
  name: "crew attach",
  summary: "Attach to the terminal of a crew's agent",
  args: "ID",
  flags: {},
  completes: "crew",
  examples: [{ run: "oj crew attach crew-7k3m", does: "Ctrl-b d detaches; the agent keeps running" }],
  run: (context, [id = ""]) => attach(context, crewId(id)),
});
