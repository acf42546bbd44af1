/** `oj init claude`: our hooks in Claude Code's settings. */
import type { HookInstaller } from "../setup.ts";
import { withHooks, withoutHooks } from "./hooks-in-settings.ts";
import { sessionHooks } from "./session-hooks.ts";
import { claudeSetup } from "./setup.ts";

export const claudeInstaller: HookInstaller = {
  setup: claudeSetup,
  put: (text, wanted) => withHooks(text, sessionHooks(wanted)),
  take: withoutHooks,
  events: (wanted) => Object.keys(sessionHooks(wanted)),
};
