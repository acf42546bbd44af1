/** Reads from a client's settings files which hooks it runs. Never changes them. */
import fs from "node:fs/promises";
import path from "node:path";
import type {
  ClientSettings,
  HookRule,
  SettingsFile,
  SettingsPlace,
  SettingsSource,
} from "./agents/client-settings.ts";

const MAX_BYTES = 1024 * 1024;
const MOST_PARTS = 50;

/** Which hooks a client started in this place will run, if they report to this address. */
export async function hookRuleAt(
  settings: ClientSettings,
  place: Omit<SettingsPlace, "platform">,
  report: { url: string; variable: string },
): Promise<HookRule> {
  const named = settings.files({ platform: process.platform, ...place });
  const files = await Promise.all(named.map(partsOf));
  const sources = await Promise.all(files.flat().map(sourceIn));
  return settings.rule(sources.flat(), report);
}

async function partsOf({ file, scope }: SettingsFile): Promise<SettingsFile[]> {
  if (!file.endsWith("/")) return [{ file, scope }];
  const names = await fs.readdir(file).catch(() => []);
  return names
    .filter((it) => it.endsWith(".json") && !it.startsWith("."))
    .sort()
    .slice(0, MOST_PARTS)
    .map((it) => ({ file: path.join(file, it), scope }));
}

/** Empty if the file can't be read: the client skips such a file, too. */
async function sourceIn({ file, scope }: SettingsFile): Promise<SettingsSource[]> {
  try {
    const stat = await fs.stat(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return [];
    const value: unknown = JSON.parse((await fs.readFile(file, "utf8")).replace(/^\uFEFF/, ""));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? [{ file, scope, settings: value as Record<string, unknown> }] : [];
  } catch {
    return [];
  }
}
