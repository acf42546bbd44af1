/** The clients whose own sessions `oj` can be put into: a line in each list. */
import { claudeInstaller } from "../claude/installer.ts";
import { CLAUDE_SESSION, claudeSetup } from "../claude/setup.ts";
import type { ClientSetup, HookInstaller } from "../setup.ts";

export const setups: readonly ClientSetup[] = [claudeSetup];

/** The environment variables by which a client tells the programs that it starts which session they are of. */
export const sessionVariables: readonly string[] = [CLAUDE_SESSION];

/** Apart, as most commands need none of this. */
export const installers: readonly HookInstaller[] = [claudeInstaller];
