/** The clients whose own sessions `oj` can hook into: one line in each list. */
import { claudeInstaller } from "../claude/installer.ts";
import { CLAUDE_SESSION, claudeSetup } from "../claude/setup.ts";
import { codexInstaller } from "../codex/installer.ts";
import { CODEX_SESSION, codexSetup } from "../codex/setup.ts";
import { geminiInstaller } from "../gemini/installer.ts";
import { geminiSetup } from "../gemini/setup.ts";
import { opencodeInstaller } from "../opencode/installer.ts";
import { opencodeSetup } from "../opencode/setup.ts";
import type { ClientSetup, HookInstaller } from "../setup.ts";

export const setups: readonly ClientSetup[] = [claudeSetup, codexSetup, opencodeSetup, geminiSetup];

/** The environment variables in which a client tells the programs it starts which session they belong to. */
export const sessionVariables: readonly string[] = [CLAUDE_SESSION, CODEX_SESSION];

/** Separate, because most commands need none of this. */
export const installers: readonly HookInstaller[] = [
  claudeInstaller,
  codexInstaller,
  opencodeInstaller,
  geminiInstaller,
];
