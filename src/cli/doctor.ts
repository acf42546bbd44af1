/** `oj doctor`: what is installed, reachable and writable, and what to do about what isn't. Starts nothing. */
import fs from "node:fs";
import path from "node:path";
import type { Config } from "../config.ts";
import { count } from "../inbox/card/words.ts";
import { hang, pad, widthOf } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Context } from "./base/command.ts";
import { defineCommand } from "./base/command.ts";
import { checkAcpPrograms } from "./doctor/acp-programs.ts";
import { checkBeads } from "./doctor/beads.ts";
import { checkChannels } from "./doctor/channels.ts";
import type { Check } from "./doctor/check.ts";
import { ok, problem, warning } from "./doctor/check.ts";
import { checkFolder, checkSocket } from "./doctor/folder.ts";
import { checkHooks } from "./doctor/hooks.ts";
import { checkPrograms } from "./doctor/programs.ts";
import { checkDaemon } from "./doctor/service.ts";

export const command = defineCommand({
  name: "doctor",
  local: true,
  lenient: true,
  summary: "Check for what is missing or wrong, and say how to fix it",
  args: "",
  flags: {},
  examples: [
    { run: "oj doctor", does: "✓ fine, ! a suggestion, ✗ a problem (then exit 1); starts nothing" },
    { run: "oj doctor -o json | jq '.[] | select(.state != \"ok\")'", does: "problems and suggestions only" },
  ],

  async run(context) {
    const { config, json, out } = context;
    const [programs, acp, daemon, hooks, channels, beads] = await Promise.all([
      checkPrograms(config.env.PATH ?? ""),
      checkAcpPrograms(config),
      checkDaemon(context),
      checkHooks(context),
      checkChannels(context),
      checkBeads(context),
    ]);
    const checks = [
      checkNode(process.versions.node),
      ...checkFolder(config.stateDir),
      checkSocket(config.stateDir),
      ...daemon,
      checkConfig(config),
      ...channels,
      ...beads,
      ...programs,
      ...acp,
      ...hooks,
      checkLocale(config.env),
    ];
    const bad = checks.filter((it) => it.state === "problem").length;
    if (json) out.json(checks);
    else show(checks, context);
    return bad > 0 ? 1 : 0;
  },
});

function show(checks: Check[], { out }: Context): void {
  const { style, width } = out;
  const left = Math.max(...checks.map((it) => widthOf(it.name)));
  const marks = { ok: style.green("✓"), warning: style.yellow("!"), problem: style.red("✗") };
  for (const { name, state, detail, fix } of checks) {
    for (const line of hang(`${marks[state]} ${pad(name, left)}  `, safeLine(detail), width)) out.print(line);
    if (fix) out.print(`${" ".repeat(left + 4)}${style.cyan("→")} ${safeLine(fix)}`);
  }
  const bad = checks.filter((it) => it.state === "problem").length;
  const poor = checks.filter((it) => it.state === "warning").length;
  const notes = poor === 0 ? "" : count(poor, "suggestion");
  out.print("");
  out.print(
    bad > 0 ? `${count(bad, "problem")}${notes && `, ${notes}`}` : `No problems${notes && `, ${notes}`}`,
  );
}

/** As package.json says under `engines`. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 15)) return ok("node", version);
  return problem("node", `${version}; oj needs 20.15 or newer`, "install a newer Node: https://nodejs.org");
}

function checkConfig({ env, home, root, problem: broken }: Readonly<Config>): Check {
  if (broken !== null) return problem("settings", broken, "fix that file");
  const files = [
    path.join(env.XDG_CONFIG_HOME || path.join(home, ".config"), "oj/config.toml"),
    path.join(root, ".oj/config.toml"),
  ];
  const present = files.filter((it) => fs.existsSync(it));
  return ok("settings", present.length === 0 ? "no file; the defaults apply" : present.join(", "));
}

export function checkLocale(env: Readonly<Record<string, string>>): Check {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  if (/utf-?8/i.test(locale) || (process.platform === "darwin" && locale === ""))
    return ok("locale", locale || "UTF-8");
  return warning("locale", `${locale || "none is set"}; marks such as ✓ may not show`, "export LANG=C.UTF-8");
}
