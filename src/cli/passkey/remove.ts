/** `oj passkey remove`: a passkey signs no more answers. */
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "passkey remove",
  summary: "Remove a passkey: it signs no more answers",
  args: "ID",
  flags: {},
  examples: [{ run: "oj passkey remove k3m9x2p4q7ab", does: "the beginning of its id is enough" }],

  async run({ client, json, out }, [id = ""]) {
    await client.removePasskey(id);
    if (json) return out.json({ id });
    out.print(`${out.style.green("✓")} ${safeLine(id)} is removed`);
  },
});
