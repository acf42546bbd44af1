/** `oj invite`: makes a person, who may do nothing until they get a role. */
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "invite",
  summary: "Add a person, who then gets roles and a token",
  args: "NAME",
  flags: {
    doors: {
      type: "boolean",
      help: "for a name that was removed: the settings (addresses, ssh keys, proxies, providers) mean this person now",
    },
  },
  examples: [{ run: "oj invite ana", does: "next: oj role grant ana approver" }],

  async run({ client, json, out }, [name = ""], { doors }) {
    const person = await client.invitePerson(name, doors);
    if (json) return out.json(person);
    const shown = safeLine(person.name);
    out.print(`${out.style.green("✓")} ${shown} is invited`);
    if (person.roles.length === 0) out.say(`  → oj role grant ${shown} approver`);
    out.say(`  → oj token create --for ${shown} --scope answer`);
  },
});
