/** The hooks that `oj init gemini` writes. It has none that could answer a permission: those stay in its terminal. */
import type { HookGroup, HookGroups } from "../hooks-in-settings.ts";
import type { SessionQuery } from "../session-hook-line.ts";
import { SECONDS, sessionHook, stopQuery } from "../session-hook-line.ts";
import type { WantedHooks } from "../setup.ts";
import { geminiSession } from "./session.ts";
import { MARK } from "./setup.ts";

export function sessionHooks(wanted: WantedHooks): HookGroups {
  const hook = (seconds: number, query: SessionQuery = {}, startsDaemon = false) =>
    named(sessionHook({ query: { of: geminiSession.name, ...query }, seconds, mark: MARK, startsDaemon }));
  return {
    SessionStart: hook(SECONDS, {}, true),
    BeforeAgent: hook(SECONDS),
    AfterTool: { matcher: "*", ...hook(SECONDS) },
    AfterAgent: hook(SECONDS + (wanted.wait_s ?? 0), stopQuery(wanted)),
    SessionEnd: hook(SECONDS),
  };
}

/** It counts in milliseconds, and lists hooks by their names when it starts. */
function named({ hooks }: HookGroup): HookGroup {
  return { hooks: hooks.map((it) => ({ name: "oj", ...it, timeout: it.timeout * 1000 })) };
}
