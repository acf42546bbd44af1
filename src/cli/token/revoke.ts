/** `oj token revoke`: a token counts no more, on every machine. */
import { count } from "../../inbox/card/words.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "token revoke",
  summary: "Revoke one token, or all of a person",
  args: "[ID]",
  flags: { for: { type: "string", value: "PERSON", help: "all tokens of this person" } },
  examples: [
    { run: "oj token revoke k3m9x2p4q7ab", does: "the id is in the token, between the underscores" },
    { run: "oj token revoke --for ana", does: "all of hers" },
  ],

  async run({ client, json, out }, [id], { for: person }) {
    if ((id === undefined) === (person === undefined))
      throw usage("give an id, or --for PERSON", "oj token list");
    const done = await client.revokePersonTokens(id === undefined ? { person: person ?? "" } : { token: id });
    if (json) return out.json(done);
    out.print(`${out.style.green("✓")} ${count(done.revoked.length, "token")} revoked`);
  },
});
