/** `oj store backup`: the whole log in one file, taken while the daemon runs. */
import path from "node:path";
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { storeHere } from "./place.ts";
import { sizeWords } from "./words.ts";

export const command = defineCommand({
  name: "store backup",
  local: true,
  summary: "Write the whole log into one file, while the daemon runs",
  args: "FILE",
  flags: {},
  examples: [
    { run: "oj store backup oj-$(date +%F).gz", does: "readable by you alone; replaces a file of that name" },
  ],

  async run({ config, json, out }, [name = ""]) {
    const store = await storeHere(config);
    const { backUp } = await import("../../store/main.ts");
    const done = await backUp(store, path.resolve(config.cwd, name));
    if (json) return out.json(done);
    const size = `${count(done.events, "event")}, ${sizeWords(done.bytes)}`;
    out.print(`${out.style.green("✓")} ${safeLine(done.file)}: ${size}`);
  },
});
