/**
 * Whether a Claude Code client will call our hooks, as its settings files say, and what it costs where it won't. The rules are those of
 * 2.1.325. A file that we can't know of (a policy from a server, an MDM profile) may say otherwise: what really comes is looked at too.
 */

/** A settings file of the client. Later ones win: the person's, the project's, the project's local one, the company's. */
export interface HookSource {
  file: string;
  scope: "user" | "project" | "local" | "managed";
  settings: Readonly<Record<string, unknown>>;
}

/** The kinds of hooks that the client will run for us. */
export type HookDoor = "http" | "command" | "none";

export interface HookRule {
  door: HookDoor;
  /** What closed the better door: "disableAllHooks in FILE". */
  by: string | null;
}

/** Where settings may be, the weakest first. */
export function settingsFiles(at: {
  config: string;
  folders: readonly string[];
  managed: string;
}): Pick<HookSource, "file" | "scope">[] {
  const own = at.folders.flatMap((folder) => [
    { file: `${folder}/.claude/settings.json`, scope: "project" as const },
    { file: `${folder}/.claude/settings.local.json`, scope: "local" as const },
  ]);
  return [
    { file: `${at.config}/settings.json`, scope: "user" },
    ...own.filter((it) => it.scope === "project"),
    ...own.filter((it) => it.scope === "local"),
    { file: `${at.managed}/managed-settings.json`, scope: "managed" },
  ];
}

export function managedFolder(platform: string): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode";
  return platform === "win32" ? "C:/Program Files/ClaudeCode" : "/etc/claude-code";
}

/** What the client keeps for itself: its settings, its conversations. */
export function configFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return env.CLAUDE_CONFIG_DIR || `${env.HOME || home}/.claude`;
}

/** `url` and `variable`: where HTTP hooks report, and what their header names. */
export function hookRule(
  sources: readonly HookSource[],
  { url, variable }: { url: string; variable: string },
): HookRule {
  const off = allOff(sources);
  if (off !== null) return { door: "none", by: off };
  const closed = httpOff(sources, url, variable);
  return closed === null ? { door: "http", by: null } : { door: "command", by: closed };
}

function allOff(sources: readonly HookSource[]): string | null {
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

/** The lists of all files are put together. None at all means that everything is allowed. */
function httpOff(sources: readonly HookSource[], url: string, variable: string): string | null {
  const urls = listed(sources, "allowedHttpHookUrls");
  if (urls && !urls.entries.some((it) => matches(it, url))) return `allowedHttpHookUrls in ${urls.file}`;
  const names = listed(sources, "httpHookAllowedEnvVars");
  return names && !names.entries.includes(variable) ? `httpHookAllowedEnvVars in ${names.file}` : null;
}

function listed(sources: readonly HookSource[], setting: string): { entries: string[]; file: string } | null {
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

/** What is switched off: all hooks, or those over HTTP; and by what, where that is known. */
export interface Silence {
  off: "all" | "http";
  by: string | null;
}

/** A line for a list. */
export function silentBriefly({ off, by }: Silence): string {
  return `${off === "all" ? "its hooks are off" : "its HTTP hooks are off"} (${by ?? "by what is not known"})`;
}

/** What a person should know of an agent whose client does not report. */
export function silentWords(silence: Silence): string {
  const { off, by } = silence;
  const what = off === "all" ? "Its client runs no hooks" : "Its client sends no reports over HTTP";
  const why =
    by === null ? "no settings file that oj knows says why; a company's policy may" : `switched off by ${by}`;
  return `${what}: ${why}. oj reads its screen and its conversation's file instead, so what it asks is noticed some seconds later and answered by keys. Nobody checks that an approved call runs as it was shown, and what \`prime\` prints is told only where this was known beforehand; with -p, the client denies by itself what it may not do.`;
}

/** What a person should know of an agent that reports by a program for each hook. */
export function commandNote(by: string): string {
  return `HTTP hooks are switched off by ${by}: it reports by curl, which costs some 20 ms for each hook of a tool call`;
}
