/** `oj decision cancel`: takes a request back. */

import { standing } from "../../inbox/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "decision cancel",
  summary: "Withdraw a request that nobody has answered",
  args: "ID",
  flags: { reason: { type: "string", value: "R", help: "the reason; whoever awaits it sees it" } },
  completes: "decision",
  examples: [
    {
      run: "oj decision cancel 7k3",
      does: "the request leaves the inbox; its `await` ends with exit code 4",
    },
    { run: 'oj decision cancel 7k3 --reason "found it in the docs"', does: "the same, with a reason" },
  ],
  async run({ client, out, json, now }, [id = ""], { reason }) {
    const decision = await client.cancelDecision(id, { reason: reason ?? null });
    if (json) return out.json(decision);
    out.print(`${out.style.green("✓")} ${decision.id} ${standing(decision, now())}`);
    if (decision.aftermath !== null) out.print(`  ${safeLine(decision.aftermath)}`);
  },
});
