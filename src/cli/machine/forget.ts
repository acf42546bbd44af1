/** `oj machine forget`: a machine won't come back, and what ran there is ended. */
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "machine forget",
  summary: "Give up a machine that won't come back, with what ran there",
  args: "NAME",
  flags: {},
  examples: [
    { run: "oj machine forget anvil", does: "cancels its jobs and crews; its daemon can't write any more" },
  ],

  async run({ client, json, out }, [name = ""]) {
    await client.forgetMachine(name);
    if (json) return out.json({ name });
    out.print(`${out.style.green("✓")} ${safeLine(name)} is forgotten: what ran there was cancelled`);
  },
});
