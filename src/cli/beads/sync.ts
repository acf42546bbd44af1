/** `oj beads sync`: compares every decision of the project with its bead, and repairs what differs. */
import { count } from "../../inbox/card/words.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { beadsLines } from "./words.ts";

export const command = defineCommand({
  name: "beads sync",
  summary: "Compare decisions with their beads, and repair what differs",
  args: "",
  flags: {},
  examples: [
    { run: "oj beads sync", does: "returns when every bead is right, or says why it can't be (exit 1)" },
    { run: "oj beads sync -o json | jq .beads.owed", does: "what is left to do, for scripts" },
  ],

  async run(context, given) {
    const { client, config, json, out } = context;
    if (given.length > 0) throw usage("oj beads sync takes no arguments", "oj beads sync");
    const { checked, beads } = await client.syncBeads({ cwd: config.cwd });
    const isDone = beads.owed === 0;
    if (json) out.json({ checked, beads });
    else {
      out.print(`${count(checked, "decision")} compared`);
      for (const line of beadsLines(beads, context)) out.print(line);
    }
    return isDone ? 0 : 1;
  },
});
