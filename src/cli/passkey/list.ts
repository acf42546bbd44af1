/** `oj passkey list`: whose passkeys count, and where. */
import { localTime } from "../../inbox/card/times.ts";
import { table } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

const SHORT = 12;

export const command = defineCommand({
  name: "passkey list",
  summary: "List the passkeys of people",
  args: "",
  flags: {},
  examples: [{ run: "oj passkey list -o json", does: "with whole ids" }],

  async run({ client, json, out }) {
    const all = await client.passkeys();
    if (json) return out.json(all);
    if (all.length === 0) return out.say("there are none: oj passkey add NAME");
    const rows = all.map(({ id, person, label, rp_id, used_at_ms }) => [
      safeLine(id.slice(0, SHORT)),
      safeLine(person),
      safeLine(label),
      safeLine(rp_id),
      used_at_ms === null ? "never" : localTime(used_at_ms),
    ]);
    for (const line of table([["ID", "PERSON", "CALLED", "FOR", "LAST USED"], ...rows])) out.print(line);
  },
});
