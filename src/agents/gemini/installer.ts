/** `oj init gemini`: our hooks in Gemini CLI's settings. */
import { withHooks, withoutHooks } from "../hooks-in-settings.ts";
import type { HookInstaller } from "../setup.ts";
import { sessionHooks } from "./session-hooks.ts";
import { geminiSetup, MARK } from "./setup.ts";

export const geminiInstaller: HookInstaller = {
  setup: geminiSetup,
  put: (text, wanted) => withHooks(text, sessionHooks(wanted), MARK),
  take: (text) => withoutHooks(text, MARK),
  unread: () =>
    "Gemini CLI runs a project's hooks only in a folder that you trust, and names them when it starts",
  dialogs: () =>
    "its permissions and questions stay in its terminal: none of its hooks can answer them, so they are not in your inbox",
  plugin: null,
  events: (wanted) => Object.keys(sessionHooks(wanted)),
};
