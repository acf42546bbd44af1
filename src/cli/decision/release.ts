/** `oj decision release`: somebody is no longer on it. */
import { standing } from "../../inbox/card/words.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "decision release",
  summary: "End a claim or a snooze",
  args: "ID",
  flags: {},
  completes: "decision",
  examples: [{ run: "oj decision release 7k3", does: "its escalation continues where it stopped" }],
  async run({ client, out, json, now }, [id = ""]) {
    const decision = await client.releaseDecision(id);
    if (json) return out.json(decision);
    out.print(`${out.style.green("✓")} nobody is on ${decision.id} now: ${standing(decision, now())}`);
  },
});
