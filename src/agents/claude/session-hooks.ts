/** The hooks that `oj init claude` writes. */
import type { HookGroups } from "../hooks-in-settings.ts";
import type { SessionQuery } from "../session-hook-line.ts";
import { SECONDS, sessionHook, stopQuery } from "../session-hook-line.ts";
import type { WantedHooks } from "../setup.ts";
import { MARK } from "./setup.ts";

/** A person may take days. */
const HOLD_SECONDS = 7 * 86_400;

/** Its questions, plans, permissions and stops reach the inbox; whether a turn may end at any time is as wanted. */
export function sessionHooks(wanted: WantedHooks): HookGroups {
  const hook = (seconds: number, query: SessionQuery = {}, startsDaemon = false) =>
    sessionHook({ query, seconds, mark: MARK, startsDaemon });
  return {
    SessionStart: hook(SECONDS, {}, true),
    UserPromptSubmit: hook(SECONDS),
    // an answer given in the terminal is noticed when its tool has run, whichever tool that is
    PostToolUse: { matcher: "*", ...hook(SECONDS) },
    PermissionRequest: hook(HOLD_SECONDS),
    Stop: hook(SECONDS + (wanted.wait_s ?? 0), stopQuery(wanted)),
    SessionEnd: sessionHook({ query: {}, seconds: SECONDS, mark: MARK, inBackground: true }),
  };
}
