/** Whether settings of Claude Code switch off what `oj init claude` has written, as seen from here. */
import fs from "node:fs";
import path from "node:path";
import { hookRuleAt } from "../../claude-settings.ts";
import type { Config } from "../../config.ts";
import type { HookRule } from "../../core/hook-settings.ts";
import { configFolder } from "../../core/hook-settings.ts";
import { MARK } from "./claude-settings.ts";

type Here = Pick<Config, "env" | "home" | "cwd" | "root" | "stateDir">;

export function hooksHere({ env, home, cwd, root, stateDir }: Readonly<Here>): Promise<HookRule> {
  const url = `http://127.0.0.1:${portIn(path.join(stateDir, "port"))}/hooks/agent`;
  return hookRuleAt({ env, home, folders: [cwd, root] }, { url, variable: "OJ_AGENT_TOKEN" });
}

/** What switches off our hooks for sessions; null where nothing does, or where there are none of ours. */
export async function sessionsOff(config: Readonly<Here>): Promise<string | null> {
  const { env, home, root } = config;
  const files = [path.join(root, ".claude/settings.json"), `${configFolder(env, home)}/settings.json`];
  if (!files.some((it) => textIn(it).includes(MARK))) return null;
  const { door, by } = await hooksHere(config);
  return door === "none" ? by : null;
}

export const COSTS = "sessions that start here tell oj nothing, and hear no answers";

function portIn(file: string): number {
  return Number(textIn(file)) || 1;
}

function textIn(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
