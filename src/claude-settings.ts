/** Reads the settings files of Claude Code, as far as they say which hooks it runs. Nothing in them is ever changed here. */
import fs from "node:fs/promises";
import path from "node:path";
import type { HookRule, HookSource } from "./core/hook-settings.ts";
import { configFolder, hookRule, managedFolder, settingsFiles } from "./core/hook-settings.ts";

const MAX_BYTES = 1024 * 1024;
const MOST_PARTS = 50;

export interface Place {
  /** The environment that the client is started with. */
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** The folder it is started in, and the project's. */
  folders: readonly string[];
  /** The company's folder; the system's, if not said. */
  managed?: string;
}

/** Which hooks a client that is started there runs for whom reports to this address. */
export async function hookRuleAt(place: Place, report: { url: string; variable: string }): Promise<HookRule> {
  return hookRule(await readHookSources(place), report);
}

async function readHookSources({
  env,
  home,
  folders,
  managed = managedFolder(process.platform),
}: Place): Promise<HookSource[]> {
  const config = configFolder(env, home);
  const parts = await partsIn(path.join(managed, "managed-settings.d"));
  const files = [
    ...settingsFiles({ config, folders: [...new Set(folders)], managed }),
    ...parts.map((file) => ({ file, scope: "managed" as const })),
  ];
  const sources = await Promise.all(
    files.map(async ({ file, scope }): Promise<HookSource[]> => {
      const settings = await read(file);
      return settings === null ? [] : [{ file, scope, settings }];
    }),
  );
  return sources.flat();
}

async function partsIn(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder).catch(() => []);
  return names
    .filter((it) => it.endsWith(".json") && !it.startsWith("."))
    .sort()
    .slice(0, MOST_PARTS)
    .map((it) => path.join(folder, it));
}

/** Null where there is nothing that could be read: the client passes over such a file, too. */
async function read(file: string): Promise<Record<string, unknown> | null> {
  try {
    const stat = await fs.stat(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return null;
    const value: unknown = JSON.parse((await fs.readFile(file, "utf8")).replace(/^\uFEFF/, ""));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
