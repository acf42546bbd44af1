/** `oj decision snooze`: "later". */

import { LONGEST_CLAIM_MS } from "../../core/model/reach-types.ts";
import { roughly } from "../../core/text/duration.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { lasting } from "../base/values.ts";

export const command = defineCommand({
  name: "decision snooze",
  summary: "Put it off: nobody is reminded until then",
  args: "ID D",
  flags: {},
  completes: "decision",
  examples: [
    { run: "oj decision snooze 7k3 1h", does: "you are reminded in an hour; the deadline keeps running" },
  ],
  async run({ client, out, json, now }, [id = "", length]) {
    const for_ms = lasting("the time", length, LONGEST_CLAIM_MS);
    if (for_ms === undefined) throw usage("for how long?", "oj decision snooze ID 1h");
    const decision = await client.snoozeDecision(id, { for_ms });
    if (json) return out.json(decision);
    const long = roughly((decision.snoozed?.until_ms ?? now()) - now());
    out.print(`${out.style.green("✓")} ${decision.id} is snoozed for ${long}`);
  },
});
