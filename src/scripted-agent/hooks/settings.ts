/** The settings file as far as it matters here: which hooks to call for an event. Pure. */
import type { Json } from "./json.ts";
import { isObject } from "./json.ts";

export interface Settings {
  hooks: Record<string, Handler[]>;
  offersClear: boolean;
}

export type Handler = { matcher: RegExp | null; timeoutMs: number; blocks: boolean } & (
  | { type: "http"; url: string; headers: Record<string, string>; allowed: string[] }
  | { type: "command"; command: string }
);

const DEFAULT_SECONDS = 600;
const DEFAULTS: Readonly<Record<string, number>> = { UserPromptSubmit: 30, SessionEnd: 1.5 };

/** HTTP is not offered for these. */
const COMMAND_ONLY = ["SessionStart", "Setup"];

export function readSettings(json: unknown): Settings {
  const settings = isObject(json) ? json : {};
  const hooks = isObject(settings.hooks) ? settings.hooks : {};
  return {
    offersClear: settings.showClearContextOnPlanAccept === true,
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([event, groups]) => [event, handlersOf(event, groups)]),
    ),
  };
}

/** Those that are due for a tool, or for the source of a session's start. */
export function handlersFor({ hooks }: Settings, event: string, subject: string): Handler[] {
  return (hooks[event] ?? []).filter(({ matcher }) => matcher === null || matcher.test(subject));
}

/** `$NAME` and `${NAME}` for the allowed variables; others become empty. */
export function filledHeaders(
  { headers, allowed }: Extract<Handler, { type: "http" }>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const fill = (value: string) =>
    value.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_, bare?: string, braced?: string) => {
      const name = bare ?? braced ?? "";
      return allowed.includes(name) ? (env[name] ?? "") : "";
    });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

function handlersOf(event: string, groups: unknown): Handler[] {
  return (Array.isArray(groups) ? groups.filter(isObject) : []).flatMap((group) => {
    const matcher =
      typeof group.matcher === "string" && !["", "*"].includes(group.matcher)
        ? new RegExp(`^(?:${group.matcher})$`)
        : null;
    const given = Array.isArray(group.hooks) ? group.hooks.filter(isObject) : [];
    return given.flatMap((hook): Handler[] => handlerOf(event, hook, matcher));
  });
}

function handlerOf(event: string, hook: Json, matcher: RegExp | null): Handler[] {
  const seconds = typeof hook.timeout === "number" ? hook.timeout : (DEFAULTS[event] ?? DEFAULT_SECONDS);
  const common = { matcher, timeoutMs: seconds * 1000, blocks: hook.onFailure === "block" };
  if (hook.type === "command" && typeof hook.command === "string")
    return [{ ...common, type: "command", command: hook.command }];
  if (hook.type !== "http" || typeof hook.url !== "string" || COMMAND_ONLY.includes(event)) return [];
  const headers = isObject(hook.headers)
    ? Object.entries(hook.headers).filter((it): it is [string, string] => typeof it[1] === "string")
    : [];
  const allowed = Array.isArray(hook.allowedEnvVars)
    ? hook.allowedEnvVars.filter((it) => typeof it === "string")
    : [];
  return [{ ...common, type: "http", url: hook.url, headers: Object.fromEntries(headers), allowed }];
}
