/** `oj agent attach` and `oj job attach`: your terminal becomes the agent's, until you detach. */
import { attach } from "../base/attach.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "agent attach",
  summary: "Attach to an agent's terminal",
  args: "ID",
  flags: {},
  completes: "agent",
  examples: [{ run: "oj agent attach agt-7k3m", does: "Ctrl-b d detaches; the agent keeps running" }],
  run: (context, [id = ""]) => attach(context, id),
});
