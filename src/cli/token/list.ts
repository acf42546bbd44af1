/** `oj token list`: the tokens that count, never their secrets. */
import { localTime } from "../../inbox/card/times.ts";
import { table } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "token list",
  summary: "List the tokens of people, without their secrets",
  args: "",
  flags: {},
  examples: [{ run: "oj token list -o json", does: "ids, persons, scopes, and when each ends" }],

  async run({ client, json, out, now }) {
    const tokens = await client.personTokens();
    if (json) return out.json(tokens);
    if (tokens.length === 0) return out.say("there are none: oj token create --for PERSON");
    const rows = tokens.map(({ id, person, scopes, expires_at_ms, used_at_ms, replaced_by }) => [
      id,
      safeLine(person),
      scopes.join(","),
      `${expires_at_ms <= now() ? "expired" : "until"} ${localTime(expires_at_ms)}`,
      used_at_ms === null ? "never" : localTime(used_at_ms),
      replaced_by === null ? "" : `rotated into ${replaced_by}`,
    ]);
    for (const line of table([["ID", "PERSON", "SCOPES", "COUNTS", "LAST USED", ""], ...rows]))
      out.print(line);
  },
});
