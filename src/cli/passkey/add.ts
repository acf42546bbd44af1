/** `oj passkey add`: a link with which a person registers a passkey in their browser. */
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "passkey add",
  summary: "Print a link to register a person's passkey",
  args: "NAME",
  flags: {},
  examples: [
    { run: "oj passkey add ana", does: "good once, for ten minutes; open it on the device that has it" },
  ],

  async run({ client, json, out }, [person = ""]) {
    const link = await client.passkeyLink(person);
    if (json) return out.json(link);
    out.print(link.url);
    out.say(`  for ${safeLine(person)}, once, within ten minutes`);
  },
});
