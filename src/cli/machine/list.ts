/** `oj machine list`: the machines that share the log, and which of them are there. */
import { awayWords } from "../../inbox/card/words.ts";
import { table } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "machine list",
  summary: "See the machines that share the inbox, and which are away",
  args: "",
  flags: {},
  examples: [
    { run: "oj machine list", does: "each with what runs there" },
    { run: "oj machine list -o json | jq '.[] | select(.away_since_ms)'", does: "only those that are away" },
  ],

  async run({ client, json, out }) {
    const machines = await client.machines();
    if (json) return out.json(machines);
    if (machines.length === 0) {
      out.print("this machine keeps its log to itself");
      return out.say(`  ${out.style.cyan("→")} store.url puts it into PostgreSQL, for several machines`);
    }
    const rows = machines.map((it) => [
      safeLine(it.name),
      it.self ? "this one" : it.away_since_ms === null ? "there" : awayWords({ machine: "", ...it }).trim(),
      String(it.jobs),
      String(it.agents),
      String(it.pending),
    ]);
    const paint = (cell: string, row: number) => (row === 0 ? out.style.dim(cell) : cell);
    const heading = ["NAME", "STATE", "JOBS", "AGENTS", "PENDING"];
    for (const line of table([heading, ...rows], { heading: true, paint })) out.print(line);
  },
});
