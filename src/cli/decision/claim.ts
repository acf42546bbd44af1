/** `oj decision claim`: "I'm on it". */

import { LONGEST_CLAIM_MS } from "../../core/model/reach-types.ts";
import { roughly } from "../../core/text/duration.ts";
import { defineCommand } from "../base/command.ts";
import { lasting } from "../base/values.ts";

export const command = defineCommand({
  name: "decision claim",
  summary: "Say that you are on it, so nobody else is told for now",
  args: "ID",
  flags: {
    for: {
      type: "string",
      value: "D",
      help: "for how long, like 30m (default: as its escalation says, else 30m)",
    },
  },
  completes: "decision",
  examples: [
    { run: "oj decision claim 7k3", does: "its escalation pauses; the deadline keeps running" },
    { run: "oj decision claim 7k3 --for 2h", does: "the same for two hours; claiming again extends it" },
  ],
  async run({ client, out, json, now }, [id = ""], flags) {
    const decision = await client.claimDecision(id, {
      for_ms: lasting("--for", flags.for, LONGEST_CLAIM_MS) ?? null,
    });
    if (json) return out.json(decision);
    const long = roughly((decision.claimed?.until_ms ?? now()) - now());
    out.print(`${out.style.green("✓")} you are on ${decision.id} for ${long}`);
  },
});
