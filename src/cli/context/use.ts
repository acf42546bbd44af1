/** `oj context use`: which machine commands go to from now on. */
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { findContext, LOCAL, readContexts, writeContexts } from "../servers/contexts.ts";

export const command = defineCommand({
  name: "context use",
  local: true,
  summary: "Say which machine commands go to from now on",
  args: "NAME",
  flags: {},
  examples: [
    { run: "oj context use anvil", does: "--server NAME does it for one command" },
    { run: "oj context use local", does: "back to this machine" },
  ],

  async run({ config, json, out }, [name = ""]) {
    const all = readContexts(config);
    const url = name === LOCAL ? null : findContext(all, name).url;
    writeContexts(config, { ...all, current: url === null ? null : name });
    if (json) return out.json({ name, url });
    out.print(`${out.style.green("✓")} commands go to ${url === null ? "this machine" : safeLine(url)} now`);
  },
});
