/** Whether settings of a client switch off what `oj init` has written for its sessions, as seen from here. */
import fs from "node:fs";
import path from "node:path";
import type { HookRule } from "../../agents/client-settings.ts";
import { setups } from "../../agents/known/setups.ts";
import type { ClientSetup } from "../../agents/setup.ts";
import { hookRuleAt } from "../../client-settings.ts";
import type { Config } from "../../config.ts";

type Here = Pick<Config, "env" | "home" | "cwd" | "root" | "stateDir">;

/** Null if no settings of the client can switch them off. */
export async function hooksHere(
  { env, home, cwd, root, stateDir }: Readonly<Here>,
  { settings }: ClientSetup,
): Promise<HookRule | null> {
  if (settings === null) return null;
  const url = `http://127.0.0.1:${portIn(path.join(stateDir, "port"))}/hooks/agent`;
  return hookRuleAt(settings, { env, home, folders: [cwd, root] }, { url, variable: "OJ_AGENT_TOKEN" });
}

/** The clients whose sessions have hooks of ours that something switches off. */
export async function sessionsOff(config: Readonly<Here>): Promise<{ name: string; by: string }[]> {
  const all = await Promise.all(
    setups.map(async (setup) => ({ name: setup.name, by: await switchedOff(config, setup) })),
  );
  return all.flatMap(({ name, by }) => (by === null ? [] : [{ name, by }]));
}

/** What switches off our hooks for sessions; null if nothing does, or if none of ours are there. */
export async function switchedOff(config: Readonly<Here>, setup: ClientSetup): Promise<string | null> {
  const { project, user } = setup.hookFiles(config);
  if (![project, user].some((it) => textIn(it).includes(setup.mark))) return null;
  const rule = await hooksHere(config, setup);
  return rule?.door === "none" ? rule.by : null;
}

export const COSTS = "sessions that start here report nothing to oj and get no answers";

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
