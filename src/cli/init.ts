/** `oj init`: a starter runbook and the project's settings, which never writes over a file; `oj init claude`: hooks. */
import fs from "node:fs";
import path from "node:path";
import { installers } from "../agents/known/setups.ts";
import { Refusal } from "../core/model/errors.ts";
import { parseDuration } from "../core/text/duration.ts";
import { safeLine } from "../text/safe.ts";
import { defineCommand } from "./base/command.ts";
import { usage } from "./base/fail.ts";
import { initHooks } from "./init/hooks.ts";
import { STARTER_RUNBOOK, STARTER_TEST, starterConfig } from "./init/starter.ts";

export const command = defineCommand({
  name: "init",
  summary: "Write a starter runbook, or hooks for Claude Code",
  args: "[claude]",
  flags: {
    global: { type: "boolean", help: "claude: use your user settings, for all projects" },
    remove: { type: "boolean", help: "claude: remove our hooks and nothing else" },
    "hold-turns": { type: "boolean", help: "claude: a turn ends only after it offered you a decision" },
    soft: { type: "boolean", help: "claude: like --hold-turns, but you are only told" },
    wait: {
      type: "string",
      value: "D",
      help: "claude: how long a turn that ends with a question waits for the answer: 10m",
    },
    permissions: { type: "boolean", help: "claude: always the case now; accepted for older scripts" },
    print: { type: "boolean", help: "claude: only print what the file would become" },
  },
  completes: installers.map((it) => it.setup.name),
  examples: [
    {
      run: "oj init",
      does: "writes a runbook with its tests, and .oj/config.toml; existing files are left alone",
    },
    {
      run: "oj init claude",
      does: "adds hooks to .claude/settings.json: what its sessions ask is in your inbox",
    },
    {
      run: "oj init claude --wait 10m",
      does: "the same, and a turn that ends with a question waits for your answer",
    },
    { run: "oj init claude --remove", does: "removes them; everything else stays, byte for byte" },
  ],

  async run(context, [what], flags) {
    const { global = false, remove = false, print = false, soft = false, permissions = false } = flags;
    const hold = flags["hold-turns"] ?? false;
    const wait_s = secondsOf(flags.wait);
    const installer = installers.find((it) => it.setup.name === what);
    if (installer) return initHooks(context, installer, { global, remove, print, hold, soft, wait_s });
    if (what !== undefined) throw usage(`oj init does not take "${what}"`, "oj init");
    if (global || remove || print || hold || soft || permissions || wait_s !== null)
      throw usage("these flags need oj init claude", "oj init claude");
    const { config, json, out } = context;
    const written: string[] = [];
    const kept: string[] = [];
    const write = (name: string, text: string) =>
      (writeNew(path.join(config.root, name), text) ? written : kept).push(name);
    write(RUNBOOK, STARTER_RUNBOOK);
    if (written.includes(RUNBOOK)) write(".oj/tests/starter.hcl", STARTER_TEST); // it tests that very runbook
    write(".oj/config.toml", starterConfig(config.project));
    if (json) return out.json({ root: config.root, written, kept });
    const { style } = out;
    for (const name of written) out.print(`${style.green("✓")} wrote ${name}`);
    for (const name of kept) out.print(`${style.dim("–")} ${name} already exists and was left alone`);
    if (config.root !== config.cwd) out.say(`in ${safeLine(config.root)}`);
    if (written.includes(RUNBOOK)) out.say(`  ${style.cyan("→")} oj run greet Ana`);
  },
});

const RUNBOOK = ".oj/runbooks/starter.hcl";

const LONGEST_WAIT_S = 7 * 86_400;

function secondsOf(wait: string | undefined): number | null {
  if (wait === undefined) return null;
  const seconds = Math.ceil((parseDuration(wait) ?? 0) / 1000);
  if (seconds < 1 || seconds > LONGEST_WAIT_S)
    throw usage(`--wait takes a time of up to a week, not "${wait}"`, "oj init claude --wait 10m");
  return seconds;
}

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
      "run oj init in a folder you can write to",
    );
  }
}
