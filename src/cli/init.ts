/** `oj init`: a starter runbook and the project's settings. It never writes over a file. */
import fs from "node:fs";
import path from "node:path";
import { Refusal } from "../core/errors.ts";
import { command } from "./command.ts";
import { usage } from "./fail.ts";
import { safeLine } from "./safe.ts";
import { STARTER_RUNBOOK, starterConfig } from "./starter.ts";

export const it = command({
  name: "init",
  summary: "Write a starter runbook to .oj/runbooks",
  args: "[claude]",
  flags: {},
  examples: [
    {
      run: "oj init",
      does: "writes .oj/runbooks/starter.hcl and .oj/config.toml; what exists stays as it is",
    },
  ],

  async run({ config, json, out }, [what]) {
    if (what === "claude")
      throw usage("oj init claude is not there yet: this version has no hooks for Claude Code", "oj init");
    if (what !== undefined) throw usage(`oj init does not take "${what}"`, "oj init");
    const files = {
      ".oj/runbooks/starter.hcl": STARTER_RUNBOOK,
      ".oj/config.toml": starterConfig(config.project),
    };
    const written: string[] = [];
    const kept: string[] = [];
    for (const [name, text] of Object.entries(files))
      (writeNew(path.join(config.root, name), text) ? written : kept).push(name);
    if (json) return out.json({ root: config.root, written, kept });
    const { style } = out;
    for (const name of written) out.print(`${style.green("✓")} wrote ${name}`);
    for (const name of kept) out.print(`${style.dim("–")} ${name} exists and stays as it is`);
    if (config.root !== config.cwd) out.say(`in ${safeLine(config.root)}`);
    if (!kept.includes(".oj/runbooks/starter.hcl")) out.say(`  ${style.cyan("→")} oj run greet Ana`);
  },
});

/** False when there is something of that name already. */
function writeNew(file: string, text: string): boolean {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && fs.existsSync(file)) return false;
    throw new Refusal(
      "request.invalid",
      `${file} can't be written: ${message}`,
      "oj init in a folder that you may write to",
    );
  }
}
