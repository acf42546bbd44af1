/** Which kinds of hooks are called: fewer than the settings name if the scenario, the person or the project says so. */
import fs from "node:fs";
import path from "node:path";
import type { HookKinds } from "../scenario/scenario.ts";
import { isObject } from "./json.ts";
import type { Settings } from "./settings.ts";

export function limited(settings: Settings, kinds: HookKinds): Settings {
  if (kinds === "all") return settings;
  const isCalled = ({ type }: { type: string }) => kinds === "command" && type === "command";
  const hooks = Object.entries(settings.hooks).map(([event, handlers]) => [event, handlers.filter(isCalled)]);
  return { ...settings, hooks: Object.fromEntries(hooks) };
}

/** As a client reads them: the person's settings, then the project's; later ones win. */
export function kindsOf(
  scenario: HookKinds,
  { env, home, cwd }: { env: Readonly<Record<string, string | undefined>>; home: string; cwd: string },
): HookKinds {
  const config = env.CLAUDE_CONFIG_DIR || path.join(env.HOME || home, ".claude");
  const files = [
    path.join(config, "settings.json"),
    path.join(cwd, ".claude/settings.json"),
    path.join(cwd, ".claude/settings.local.json"),
  ];
  const all = Object.assign({}, ...files.map(read));
  if (scenario === "none" || all.disableAllHooks === true) return "none";
  const allowed = files.map((it) => read(it).allowedHttpHookUrls).filter(Array.isArray);
  return scenario === "command" || (allowed.length > 0 && allowed.flat().length === 0) ? "command" : "all";
}

function read(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
