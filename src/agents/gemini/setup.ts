/** Gemini CLI on somebody's machine: its program, and where our hooks for its sessions are. */
import type { ClientSetup } from "../setup.ts";
import { TESTED_VERSION } from "./version.ts";

/** How we recognize our hooks: each command ends with this. */
export const MARK = "# oj init gemini";

export const geminiSetup: ClientSetup = {
  name: "gemini",
  title: "Gemini CLI",
  version: ["--version"],
  update: "npm install -g @google/gemini-cli",
  tested: TESTED_VERSION,
  settings: null,
  hookFiles: ({ root, home }) => ({
    project: `${root}/.gemini/settings.json`,
    user: `${home}/.gemini/settings.json`,
  }),
  mark: MARK,
};
