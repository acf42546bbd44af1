/** `oj store restore`: fills an empty store from a backup. */
import path from "node:path";
import { defineCommand } from "../base/command.ts";
import { storeHere } from "./place.ts";
import { copiedWords } from "./words.ts";

export const command = defineCommand({
  name: "store restore",
  local: true,
  summary: "Fill an empty store from a backup",
  args: "FILE",
  flags: {},
  examples: [
    {
      run: "OJ_STATE_DIR=$PWD/state oj store restore oj-2026-07-30.gz",
      does: "checks the whole file first; a store that has events is refused",
    },
  ],

  async run({ config, json, out }, [name = ""]) {
    const store = await storeHere(config);
    const { restore } = await import("../../store/main.ts");
    const done = await restore(store, path.resolve(config.cwd, name));
    if (json) return out.json(done);
    out.print(`${out.style.green("✓")} ${copiedWords(done)}`);
  },
});
