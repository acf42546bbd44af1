/** `oj init codex`: our hooks in Codex's `hooks.json`. */
import { formatDuration } from "../../core/text/duration.ts";
import { withHooks, withoutHooks } from "../hooks-in-settings.ts";
import type { HookInstaller } from "../setup.ts";
import { sessionHooks } from "./session-hooks.ts";
import { codexSetup, MARK } from "./setup.ts";

export const codexInstaller: HookInstaller = {
  setup: codexSetup,
  put: (text, wanted) => withHooks(text, sessionHooks(wanted), MARK),
  take: (text) => withoutHooks(text, MARK),
  unread: () =>
    "Codex runs new hooks once you trust them: it asks when it starts next, and again when they have changed",
  dialogs: ({ wait_s }) =>
    wait_s === null
      ? "its permission requests stay in its terminal; with --wait they are in your inbox first"
      : `its permission requests are in your inbox first, for ${formatDuration(wait_s * 1000)}; then, or when you dismiss one, it asks in its terminal`,
  plugin: null,
  events: (wanted) => Object.keys(sessionHooks(wanted)),
};
