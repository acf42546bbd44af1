/** `oj quiet`: the one switch for every notice, on the desktop, in the terminal's inbox and in the browser. */
import fs from "node:fs";
import path from "node:path";
import { personalFile } from "../config.ts";
import { Refusal } from "../core/model/errors.ts";
import { safeLine } from "../text/safe.ts";
import { defineCommand } from "./base/command.ts";
import { usage } from "./base/fail.ts";
import { withSetting } from "./base/toml-text.ts";

export const command = defineCommand({
  name: "quiet",
  local: true,
  summary: "Turn notices off, or on again",
  args: "[on|off]",
  flags: {},
  completes: ["on", "off"],
  examples: [
    { run: "oj quiet", does: "says whether you get notices" },
    { run: "oj quiet on", does: "nothing rings or pops up any more; the inbox stays as it is" },
    { run: "oj quiet off", does: "notices again" },
  ],

  async run({ config, json, out }, [state, ...more]) {
    if (more.length > 0 || (state !== undefined && state !== "on" && state !== "off"))
      throw usage(`oj quiet takes "on" or "off"`, "oj quiet on");
    const quiet = state === undefined ? config.settings.notices.quiet : state === "on";
    const file = personalFile(config.env, config.home);
    if (state !== undefined) write(file, quiet);
    if (json) return out.json({ quiet, file });
    out.print(quiet ? "quiet: you get no notices" : "you get notices");
    if (state !== undefined) out.say(`  ${out.style.dim(safeLine(file))}`);
  },
});

/** All or nothing: a new file replaces the old one. A symlink stays one. */
function write(file: string, quiet: boolean): void {
  try {
    const target = fs.existsSync(file) ? fs.realpathSync(file) : file;
    const before = fs.existsSync(target) ? fs.readFileSync(target, "utf8") : "";
    const after = withSetting(before, "notices", "quiet", String(quiet));
    if (after === before) return;
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(`${target}.oj-${process.pid}`, after);
    fs.renameSync(`${target}.oj-${process.pid}`, target);
  } catch (error) {
    throw new Refusal(
      "request.invalid",
      `${file} can't be written: ${(error as Error).message}`,
      `write it yourself: [notices] quiet = ${quiet}`,
    );
  }
}
