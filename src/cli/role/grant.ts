/** `oj role grant`: gives a person a role, in a project or everywhere. */
import { ROLES } from "../../core/roles/people.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { roleInput, roleWords } from "./input.ts";

export const command = defineCommand({
  name: "role grant",
  summary: "Give a person a role, in a project or everywhere",
  args: "NAME ROLE",
  flags: {},
  completes: ROLES,
  examples: [
    { run: "oj role grant ana approver --project shop", does: "viewer, asker, approver, owner" },
    { run: "oj role grant ben auditor", does: "everywhere: admin, auditor" },
  ],

  async run({ client, json, out }, args, flags) {
    const input = roleInput(args, flags);
    const person = await client.grantRole(input);
    if (json) return out.json(person);
    out.print(`${out.style.green("✓")} ${safeLine(person.name)} is ${safeLine(roleWords(input))}`);
  },
});
