/**
 * Whether Claude Code will call our hooks, according to its settings files. The rules are those of 2.1.325. A source
 * that we can't see (a policy from a server, an MDM profile) may say otherwise, so the hooks that really arrive are
 * looked at too.
 */
import type {
  ClientSettings,
  HookRule,
  SettingsFile,
  SettingsPlace,
  SettingsSource,
} from "../client-settings.ts";

type Environment = SettingsPlace["env"];

export const claudeSettings: ClientSettings = { files: settingsFiles, rule: hookRule };

/** Later files win: the user's, the project's, the project's local one, the company's. */
function settingsFiles({ env, home, platform, folders, managed }: SettingsPlace): SettingsFile[] {
  const company = managed ?? managedFolder(platform);
  const own = [...new Set(folders)];
  return [
    { file: userSettings(env, home), scope: "user" },
    ...own.map((folder) => ({ file: projectSettings(folder), scope: "project" as const })),
    ...own.map((folder) => ({ file: `${folder}/.claude/settings.local.json`, scope: "local" as const })),
    { file: `${company}/managed-settings.json`, scope: "managed" },
    { file: `${company}/managed-settings.d/`, scope: "managed" },
  ];
}

export function userSettings(env: Environment, home: string): string {
  return `${configFolder(env, home)}/settings.json`;
}

export function projectSettings(folder: string): string {
  return `${folder}/.claude/settings.json`;
}

function managedFolder(platform: string): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode";
  return platform === "win32" ? "C:/Program Files/ClaudeCode" : "/etc/claude-code";
}

/** The folder where the client keeps its settings and its conversations. */
export function configFolder(env: Environment, home: string): string {
  return env.CLAUDE_CONFIG_DIR || `${env.HOME || home}/.claude`;
}

function hookRule(
  sources: readonly SettingsSource[],
  { url, variable }: { url: string; variable: string },
): HookRule {
  const off = allOff(sources);
  if (off !== null) return { door: "none", by: off };
  const closed = httpOff(sources, url, variable);
  return closed === null ? { door: "http", by: null } : { door: "command", by: closed };
}

function allOff(sources: readonly SettingsSource[]): string | null {
  for (const { scope, settings, file } of sources) {
    if (scope !== "managed") continue;
    if (settings.disableAllHooks === true) return `disableAllHooks in ${file}`;
    if (settings.allowManagedHooksOnly === true) return `allowManagedHooksOnly in ${file}`;
    const strict = settings.strictPluginOnlyCustomization;
    if (strict === true || (Array.isArray(strict) && strict.includes("hooks")))
      return `strictPluginOnlyCustomization in ${file}`;
  }
  const last = sources.findLast((it) => typeof it.settings.disableAllHooks === "boolean");
  return last?.settings.disableAllHooks === true ? `disableAllHooks in ${last.file}` : null;
}

/** The lists of all files are combined. If there is no list, everything is allowed. */
function httpOff(sources: readonly SettingsSource[], url: string, variable: string): string | null {
  const urls = listed(sources, "allowedHttpHookUrls");
  if (urls && !urls.entries.some((it) => matches(it, url))) return `allowedHttpHookUrls in ${urls.file}`;
  const names = listed(sources, "httpHookAllowedEnvVars");
  return names && !names.entries.includes(variable) ? `httpHookAllowedEnvVars in ${names.file}` : null;
}

function listed(
  sources: readonly SettingsSource[],
  setting: string,
): { entries: string[]; file: string } | null {
  const lists = sources.filter((it) => Array.isArray(it.settings[setting]));
  const last = lists.at(-1);
  if (!last) return null;
  const entries = lists.flatMap((it) => it.settings[setting] as unknown[]);
  return { entries: entries.filter((it) => typeof it === "string"), file: last.file };
}

function matches(pattern: string, url: string): boolean {
  const parts = pattern.split("*").map((it) => it.replace(/[.+?^${}()|[\]\\/]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(url);
}
