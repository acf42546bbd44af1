/** `oj init`: a starter runbook and the project's settings, which never writes over a file; `oj init CLIENT`: hooks. */
import fs from "node:fs";
import path from "node:path";
import { installers } from "../agents/known/setups.ts";
import { Refusal } from "../core/model/errors.ts";
import { parseDuration } from "../core/text/duration.ts";
import { safeLine } from "../text/safe.ts";
import { defineCommand } from "./base/command.ts";
import { usage } from "./base/fail.ts";
import { hookedFiles, initHooks } from "./init/hooks.ts";
import { initPlugin, pluginFolders } from "./init/plugin.ts";
import { STARTER_RUNBOOK, STARTER_TEST, starterConfig } from "./init/starter.ts";

const NAMES = installers.map((it) => it.setup.name);

export const command = defineCommand({
  name: "init",
  local: true,
  summary: "Write a starter runbook, or hooks for a client",
  args: `[${NAMES.join("|")}]`,
  flags: {
    global: { type: "boolean", help: "hooks: in your user settings, for all projects" },
    remove: { type: "boolean", help: "hooks: remove ours and nothing else" },
    "hold-turns": { type: "boolean", help: "hooks: a turn ends only after it offered you a decision" },
    soft: { type: "boolean", help: "hooks: like --hold-turns, but you are only told" },
    wait: {
      type: "string",
      value: "D",
      help: "hooks: how long a turn that ends with a question waits for the answer: 10m",
    },
    permissions: { type: "boolean", help: "hooks: always the case now; accepted for older scripts" },
    plugin: { type: "boolean", help: "claude: write a plugin instead, with a skill, /decide and MCP" },
    print: { type: "boolean", help: "hooks: only print what the file would become" },
  },
  completes: NAMES,
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
    { run: "oj init claude --plugin", does: "the same as a plugin in .oj/claude-plugin, and how to load it" },
    { run: "oj init claude --remove", does: "removes them; everything else stays, byte for byte" },
    {
      run: "oj init codex --wait 10m",
      does: "hooks in .codex/hooks.json: you may answer its permissions here",
    },
    { run: "oj init opencode", does: "a plugin in .opencode/plugins/oj.js: all it asks is in your inbox" },
    {
      run: "oj init gemini",
      does: "hooks in .gemini/settings.json: its stops and requests are in your inbox",
    },
  ],

  async run(context, [what], flags) {
    const { global = false, remove = false, print = false, soft = false, permissions = false } = flags;
    const { config } = context;
    const hold = flags["hold-turns"] ?? false;
    const wait_s = secondsOf(flags.wait);
    const installer = installers.find((it) => it.setup.name === what);
    const plugin = flags.plugin ?? false;
    if (installer && plugin) {
      if (installer.plugin === null) throw usage(`oj init ${what} has no --plugin`, `oj init ${what}`);
      if (!remove && !print) refuseBoth(hookedFiles(context, installer), `oj init ${what} --remove`);
      return initPlugin(context, installer, { global, remove, print, hold, soft, wait_s });
    }
    if (installer && !remove && !print)
      refuseBoth(pluginFolders(config, installer.setup.name), `oj init ${what} --plugin --remove`);
    if (installer) return initHooks(context, installer, { global, remove, print, hold, soft, wait_s });
    if (what !== undefined) throw usage(`oj init does not take "${what}"`, "oj init");
    if (global || remove || print || plugin || hold || soft || permissions || wait_s !== null)
      throw usage(`these flags need a client: ${NAMES.join(", ")}`, "oj init claude");
    const { json, out } = context;
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

/** With hooks and a plugin, everything would be asked twice. */
function refuseBoth(there: readonly string[], fix: string): void {
  const [place] = there;
  if (place === undefined) return;
  throw new Refusal(
    "request.invalid",
    `our hooks are already in ${place}: with both, everything would be asked twice`,
    `${fix}    (with --global if it is your own, not the project's)`,
  );
}

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
