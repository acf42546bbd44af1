/** `oj store status`: which store this is, and how much is in it. Needs no daemon. */
import { awayWords, count } from "../../inbox/card/words.ts";
import { table } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { storeHere } from "./place.ts";
import { sizeWords } from "./words.ts";

export const command = defineCommand({
  name: "store status",
  local: true,
  summary: "See where the log is kept, and how much is in it",
  args: "",
  flags: {},
  examples: [
    { run: "oj store status", does: "SQLite or PostgreSQL, never its password" },
    { run: "oj store status -o json | jq .tip", does: "the number of the last event" },
  ],

  async run({ config, json, out }) {
    const status = await (await storeHere(config)).status();
    if (json) return out.json(status);
    const { kind, at, exists, tip, first, snapshot, bytes, machines } = status;
    const where = kind === "sqlite" ? `SQLite in ${at}` : at;
    const events = tip === 0 ? "none yet" : first === 0 ? `${tip}, all compacted` : `${first} to ${tip}`;
    const rows = [
      ["store", exists ? safeLine(where) : `${safeLine(where)}: not made yet`],
      ["events", events],
      ["snapshot", snapshot === null ? "none yet" : `of event ${snapshot}`],
      ["size", sizeWords(bytes)],
      ...machines.map(({ name, away_since_ms }, n) => [
        n === 0 ? count(machines.length, "machine").replace(/^\d+ /, "") : "",
        away_since_ms === null ? safeLine(name) : awayWords({ machine: safeLine(name), away_since_ms }),
      ]),
    ];
    for (const line of table(exists ? rows : rows.slice(0, 1), {})) out.print(line);
  },
});
