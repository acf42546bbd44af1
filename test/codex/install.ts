/** Installs the real Codex for tests: the one version that Oddjobs is tested with. */

import { TESTED_VERSION } from "../../src/agents/codex/version.ts";
import type { Installed } from "../specs/support/install-client.ts";
import { installClient } from "../specs/support/install-client.ts";

export function installCodex(): Installed {
  return installClient({
    name: "codex",
    spec: `@openai/codex@${TESTED_VERSION}`,
    size: "440 MB",
    isOff: process.env.OJ_TEST_CODEX === "0" ? "OJ_TEST_CODEX=0" : null,
    program: /\/@openai\/codex-[^/]+\/vendor\/[^/]+\/bin\/codex$/,
    says: (output) => output.trim() === `codex-cli ${TESTED_VERSION}`,
  });
}
