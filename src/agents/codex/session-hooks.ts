/** The hooks that `oj init codex` writes. */
import type { HookGroups } from "../hooks-in-settings.ts";
import type { SessionQuery } from "../session-hook-line.ts";
import { SECONDS, sessionHook, stopQuery } from "../session-hook-line.ts";
import type { WantedHooks } from "../setup.ts";
import { codexSession } from "./session.ts";
import { MARK } from "./setup.ts";

/**
 * Codex draws no dialog while a hook for it is open, so whoever sits at its terminal could not answer. Permissions are
 * therefore in the inbox only if the person wants that, and no longer than they want.
 */
export function sessionHooks(wanted: WantedHooks): HookGroups {
  const { wait_s } = wanted;
  const hook = (seconds: number, query: SessionQuery = {}, startsDaemon = false) =>
    sessionHook({ query: { of: codexSession.name, ...query }, seconds, mark: MARK, startsDaemon });
  return {
    SessionStart: hook(SECONDS, {}, true),
    UserPromptSubmit: hook(SECONDS),
    PostToolUse: hook(SECONDS),
    ...(wait_s === null ? {} : { PermissionRequest: hook(wait_s) }),
    Stop: hook(SECONDS + (wait_s ?? 0), stopQuery(wanted)),
  };
}
