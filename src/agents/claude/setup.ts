/** Claude Code on somebody's machine: its program, its settings, and where our hooks for its sessions are. */
import type { ClientSetup } from "../setup.ts";
import { claudeSettings, projectSettings, userSettings } from "./settings.ts";
import { TESTED_VERSION } from "./version.ts";

/** How we recognize our hooks: each command ends with this. */
export const MARK = "# oj init claude";

/** The environment variable that tells a program which session started it. */
export const CLAUDE_SESSION = "CLAUDE_CODE_SESSION_ID";

export const claudeSetup: ClientSetup = {
  name: "claude",
  title: "Claude Code",
  version: ["--version"],
  update: "claude update",
  tested: TESTED_VERSION,
  settings: claudeSettings,
  hookFiles: ({ root, env, home }) => ({ project: projectSettings(root), user: userSettings(env, home) }),
  mark: MARK,
};
