/** `oj person`: who was invited, and what each may do. */
import { count } from "../../inbox/card/words.ts";
import { table } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "person",
  summary: "List the people who were invited, and their roles",
  args: "",
  flags: {},
  examples: [
    { run: "oj person -o json", does: "names, roles and how many tokens each has" },
    { run: "oj person remove ana", does: "ana left: nothing of hers counts any more" },
  ],

  async run({ client, json, out }) {
    const people = await client.people();
    if (json) return out.json(people);
    if (people.length === 0) return out.say("nobody was invited yet: oj invite NAME");
    const rows = people.map(({ name, roles, tokens }) => [
      safeLine(name),
      safeLine(
        roles.map(({ role, project }) => (project === "" ? role : `${role} in ${project}`)).join(", ") ||
          "none",
      ),
      count(tokens, "token"),
    ]);
    for (const line of table([["NAME", "ROLES", "TOKENS"], ...rows])) out.print(line);
  },
});
