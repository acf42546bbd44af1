/** Installs the real Claude Code for tests: the one version that Oddjobs is tested with. It is proprietary. */
import { TESTED_VERSION } from "../../src/agents/claude/version.ts";
import type { Installed } from "../specs/support/install-client.ts";
import { installClient } from "../specs/support/install-client.ts";

export function installClaude(): Installed {
  return installClient({
    name: "claude",
    spec: `@anthropic-ai/claude-code@${TESTED_VERSION}`,
    size: "350 MB",
    isOff: process.env.OJ_TEST_CLAUDE === "0" ? "OJ_TEST_CLAUDE=0" : null,
    program: /\/@anthropic-ai\/claude-code-[^/]+\/claude$/,
    says: (output) => output.startsWith(TESTED_VERSION),
  });
}
