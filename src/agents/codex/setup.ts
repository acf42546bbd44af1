/** Codex on somebody's machine: its program, and where our hooks for its sessions are. */
import type { ClientSetup } from "../setup.ts";
import { TESTED_VERSION } from "./version.ts";

/** How we recognize our hooks: each command ends with this. */
export const MARK = "# oj init codex";

/** The environment variable that tells a program which session started it. */
export const CODEX_SESSION = "CODEX_THREAD_ID";

export const codexSetup: ClientSetup = {
  name: "codex",
  title: "Codex",
  version: ["--version"],
  update: "npm install -g @openai/codex",
  tested: TESTED_VERSION,
  settings: null,
  hookFiles: ({ root, env, home }) => ({
    project: `${root}/.codex/hooks.json`,
    user: `${env.CODEX_HOME || `${home}/.codex`}/hooks.json`,
  }),
  mark: MARK,
};
