/** `oj token create`: a token that stands for a person, shown this once. */
import { SCOPES } from "../../core/roles/people.ts";
import { parseDuration } from "../../core/text/duration.ts";
import { localTime } from "../../inbox/card/times.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { scopesIn } from "./scopes.ts";

const LASTS = "90d";

export const command = defineCommand({
  name: "token create",
  summary: "Make a token for a person; it is shown this once",
  args: "",
  flags: {
    for: { type: "string", value: "PERSON", help: "whose it is (oj person)" },
    scope: {
      type: "string",
      multiple: true,
      value: "LIST",
      help: `of ${SCOPES.join(",")} (default: read); never more than their roles`,
    },
    lasts: { type: "string", value: "D", help: `how long it counts (default: ${LASTS})` },
  },
  examples: [
    {
      run: "oj token create --for ana --scope read,answer",
      does: "prints it to stdout; only a hash is kept",
    },
    { run: "oj token create --for ci --scope ask --lasts 7d -o json", does: "{id, token, …}" },
  ],

  async run({ client, json, out }, _, { for: person, scope = ["read"], lasts = LASTS }) {
    if (person === undefined) throw usage("whose token is it?", "oj token create --for PERSON");
    const lasts_ms = parseDuration(lasts);
    if (lasts_ms === null || lasts_ms <= 0)
      throw usage(`--lasts takes a time, not "${lasts}"`, `--lasts ${LASTS}`);
    const made = await client.makePersonToken({ person, scopes: scopesIn(scope), lasts_ms });
    if (json) return out.json(made);
    out.print(made.token);
    const what = `${safeLine(made.person)} may ${made.scopes.join(", ")} with it until ${localTime(made.expires_at_ms)}`;
    out.say(`  ${what}, as far as their roles allow`);
    out.say(`  → oj token revoke ${made.id}`);
  },
});
