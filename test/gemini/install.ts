/** Installs the real Gemini CLI for tests: the one version that Oddjobs is tested with. */
import { TESTED_VERSION } from "../../src/agents/gemini/version.ts";
import type { Installed } from "../specs/support/install-client.ts";
import { installClient } from "../specs/support/install-client.ts";

export function installGemini(): Installed {
  return installClient({
    name: "gemini",
    spec: `@google/gemini-cli@${TESTED_VERSION}`,
    size: "100 MB",
    isOff: process.env.OJ_TEST_GEMINI === "0" ? "OJ_TEST_GEMINI=0" : null,
    program: /\/@google\/gemini-cli\/bundle\/gemini\.js$/,
    says: (output) => output.trim() === TESTED_VERSION,
  });
}
