/** Installs the adapters that speak ACP for Claude Code and Codex, in the versions that Oddjobs is tested with. */
import type { Installed } from "../specs/support/install-client.ts";
import { installClient } from "../specs/support/install-client.ts";

const isOff = process.env.OJ_TEST_ACP === "0" ? "OJ_TEST_ACP=0" : null;

const CLAUDE_ACP = "0.99.1";
const CODEX_ACP = "2.6.0";

export function installClaudeAcp(): Installed {
  return installClient({
    name: "claude-agent-acp",
    spec: `@agentclientprotocol/claude-agent-acp@${CLAUDE_ACP}`,
    size: "400 MB",
    isOff,
    program: /\/@agentclientprotocol\/claude-agent-acp\/dist\/index\.js$/,
    says: (output) => output.trim() === CLAUDE_ACP,
  });
}

export function installCodexAcp(): Installed {
  return installClient({
    name: "codex-acp",
    spec: `@agentclientprotocol/codex-acp@${CODEX_ACP}`,
    size: "300 MB",
    isOff,
    program: /\/@agentclientprotocol\/codex-acp\/dist\/index\.js$/,
    says: (output) => output.includes(CODEX_ACP),
  });
}
