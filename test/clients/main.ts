/** Installs every real client that the tests use. Each kind of tests does so too; this one does it beforehand. */
import { installClaudeAcp, installCodexAcp } from "../acp/install.ts";
import { installClaude } from "../claude/install.ts";
import { installCodex } from "../codex/install.ts";
import { installGemini } from "../gemini/install.ts";
import { installOpencode } from "../opencode/install.ts";

for (const install of [
  installClaude,
  installCodex,
  installOpencode,
  installGemini,
  installClaudeAcp,
  installCodexAcp,
])
  install();
