/** `oj init claude`: our hooks in Claude Code's settings. */
import { withHooks, withoutHooks } from "../hooks-in-settings.ts";
import { commentsIn } from "../json-comments.ts";
import type { HookInstaller } from "../setup.ts";
import { pluginFiles } from "./plugin.ts";
import { sessionHooks } from "./session-hooks.ts";
import { claudeSetup, MARK } from "./setup.ts";

export const claudeInstaller: HookInstaller = {
  setup: claudeSetup,
  put: (text, wanted) => withHooks(text, sessionHooks(wanted), MARK),
  take: (text) => withoutHooks(text, MARK),
  // anthropics/claude-code#83190
  unread: (text) =>
    commentsIn(text).length > 0
      ? "Claude Code ignores a settings file with comments: move them elsewhere, or the hooks do nothing"
      : null,
  dialogs: () =>
    "its questions, plans and permission requests are in your inbox as well; the dialog stays in its terminal, and the first answer wins",
  plugin: {
    files: pluginFiles,
    use: (folder) => [
      `/plugin marketplace add ${folder}    then: /plugin install oj@oddjobs`,
      `claude --plugin-dir ${folder}/oj    (for one session, from a shell)`,
    ],
  },
  events: (wanted) => Object.keys(sessionHooks(wanted)),
};
