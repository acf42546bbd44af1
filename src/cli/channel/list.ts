/** `oj channel list`: the ways by which people are reached, and whether each works. */
import { hang, table } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "channel list",
  summary: "See the channels, whom they reach, and what is wrong",
  args: "",
  flags: {},
  examples: [
    { run: "oj channel list", does: "checks each of them" },
    { run: "oj channel list -o json | jq '.[] | select(.trouble)'", does: "only what doesn't work" },
  ],

  async run({ client, json, out }) {
    const channels = await client.channels();
    if (json) return out.json(channels);
    if (channels.length === 0) {
      out.print("no channel is configured");
      return out.say(`  ${out.style.cyan("→")} oj channel add slack`);
    }
    const rows = channels.map((it) => [
      it.name,
      it.kind,
      it.state,
      safeLine(it.room ?? (it.people.join(", ") || "nobody")),
    ]);
    const paint = (cell: string, row: number, column: number) => {
      if (row === 0) return out.style.dim(cell);
      return column === 2 ? (cell.trim() === "ok" ? out.style.green(cell) : out.style.red(cell)) : cell;
    };
    for (const line of table([["NAME", "KIND", "STATE", "TO"], ...rows], { heading: true, paint }))
      out.print(line);
    for (const { name, trouble } of channels)
      if (trouble !== null)
        for (const line of hang(`${out.style.red("✗")} ${name}: `, safeLine(trouble), out.width))
          out.print(line);
  },
});
