/** `oj decision undo`: takes an answer back while its undo window is open. */

import { standing } from "../../inbox/card/words.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "decision undo",
  summary: "Take back an answer that has not been sent yet",
  args: "ID",
  flags: {},
  completes: "decision",
  examples: [
    { run: "oj decision undo 7k3", does: "the decision is pending again; the agent never sees that answer" },
    { run: "oj decision undo 7k3 -o json", does: "the decision as JSON" },
  ],
  async run({ client, out, json, now }, [id = ""]) {
    const decision = await client.undoAnswer(id);
    if (json) return out.json(decision);
    out.print(
      `${out.style.green("✓")} the answer was taken back: ${decision.id} ${standing(decision, now())}`,
    );
  },
});
