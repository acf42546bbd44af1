/** The clients whose own sessions `oj` can be put into: a line in each list. */
import { claudeInstaller } from "./claude/installer.ts";
import { claudeSetup } from "./claude/setup.ts";
import type { ClientSetup, HookInstaller } from "./setup.ts";

export const setups: readonly ClientSetup[] = [claudeSetup];

/** Apart, as most commands need none of this. */
export const installers: readonly HookInstaller[] = [claudeInstaller];
