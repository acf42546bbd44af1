/** `oj token deny`: turns down a login that was asked for with a code on another machine. */
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "token deny",
  summary: "Deny a login by its code (oj login)",
  args: "CODE",
  flags: {},
  examples: [{ run: "oj token deny WDJB-MJHT", does: "whoever asked is told at once" }],

  async run({ client, json, out }, [code = ""]) {
    await client.denyDevice(code);
    if (json) return out.json({ code });
    out.print(`${out.style.green("✓")} ${safeLine(code)} is denied`);
  },
});
