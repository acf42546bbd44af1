/** `oj init claude`: our hooks in Claude Code's settings. */
import { commentsIn } from "../json-comments.ts";
import type { HookInstaller } from "../setup.ts";
import { withHooks, withoutHooks } from "./hooks-in-settings.ts";
import { sessionHooks } from "./session-hooks.ts";
import { claudeSetup } from "./setup.ts";

export const claudeInstaller: HookInstaller = {
  setup: claudeSetup,
  put: (text, wanted) => withHooks(text, sessionHooks(wanted)),
  take: withoutHooks,
  // anthropics/claude-code#83190
  unread: (text) =>
    commentsIn(text).length > 0
      ? "Claude Code ignores a settings file with comments: move them elsewhere, or the hooks do nothing"
      : null,
  events: (wanted) => Object.keys(sessionHooks(wanted)),
};
