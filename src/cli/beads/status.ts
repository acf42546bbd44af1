/** `oj beads status`: the projects whose decisions are mirrored as beads, and what is wrong. */
import { defineCommand } from "../base/command.ts";
import { beadsLines } from "./words.ts";

export const command = defineCommand({
  name: "beads status",
  summary: "See where decisions are mirrored as beads, and what is wrong",
  args: "",
  flags: {},
  examples: [
    { run: "oj beads status", does: "every project with [beads] mirror = true" },
    { run: "oj beads status -o json | jq '.[] | select(.trouble)'", does: "only what doesn't work" },
  ],

  async run(context) {
    const { client, json, out } = context;
    const all = await client.beads();
    if (json) return out.json(all);
    if (all.length === 0) {
      out.print("no project mirrors its decisions as beads");
      return out.say(`  ${out.style.cyan("→")} in .oj/config.toml: [beads] mirror = true`);
    }
    for (const line of all.flatMap((it) => beadsLines(it, context))) out.print(line);
  },
});
