/** `oj store copy`: a whole store moves from SQLite to PostgreSQL, or back. The source stays as it is. */
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { storeNamed } from "./place.ts";
import { copiedWords } from "./words.ts";

export const command = defineCommand({
  name: "store copy",
  local: true,
  summary: "Copy a whole store, between SQLite and PostgreSQL",
  args: "FROM TO",
  flags: {},
  examples: [
    {
      run: "oj store copy ~/.local/state/oj postgres://oj@db/oddjobs",
      does: "into an empty database; stop the daemon first",
    },
    { run: "oj store copy postgres://oj@db/oddjobs ./state", does: "and back, into a folder without a log" },
  ],

  async run({ config, json, out }, [from = "", to = ""]) {
    const [source, target] = [await storeNamed(config, from), await storeNamed(config, to)];
    const { copyStore } = await import("../../store/main.ts");
    const copied = await copyStore(source, target);
    if (json) return out.json(copied);
    out.print(`${out.style.green("✓")} ${copiedWords(copied)}`);
    const next =
      target.kind === "postgres"
        ? "store.url says where it is now"
        : `OJ_STATE_DIR=${safeLine(to)} oj daemon start`;
    out.say(`  ${out.style.cyan("→")} ${next}`);
  },
});
