/** `oj role revoke`: takes a role away; from then on nothing rests on it. */
import { ROLES } from "../../core/roles/people.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { roleInput, roleWords } from "./input.ts";

export const command = defineCommand({
  name: "role revoke",
  summary: "Take a role away from a person",
  args: "NAME ROLE",
  flags: {},
  completes: ROLES,
  examples: [{ run: "oj role revoke ana approver --project shop", does: "counts at once, on every machine" }],

  async run({ client, json, out }, args, flags) {
    const input = roleInput(args, flags);
    const person = await client.revokeRole(input);
    if (json) return out.json(person);
    out.print(`${out.style.green("✓")} ${safeLine(person.name)} is no longer ${safeLine(roleWords(input))}`);
  },
});
