/** opencode on somebody's machine: its program, and where our plugin for its sessions is. */
import type { ClientSetup } from "../setup.ts";
import { TESTED_VERSION } from "./version.ts";

/** How we recognize our plugin: its first line. */
export const MARK = "// oj init opencode";

export const opencodeSetup: ClientSetup = {
  name: "opencode",
  title: "opencode",
  version: ["--version"],
  update: "opencode upgrade",
  tested: TESTED_VERSION,
  settings: null,
  hookFiles: ({ root, env, home }) => ({
    project: `${root}/.opencode/plugins/oj.js`,
    user: `${env.XDG_CONFIG_HOME || `${home}/.config`}/opencode/plugins/oj.js`,
  }),
  mark: MARK,
};
