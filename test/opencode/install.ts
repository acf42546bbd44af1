/** Installs the real opencode for tests: the one version that Oddjobs is tested with. */
import { TESTED_VERSION } from "../../src/agents/opencode/version.ts";
import type { Installed } from "../specs/support/install-client.ts";
import { installClient } from "../specs/support/install-client.ts";

export function installOpencode(): Installed {
  return installClient({
    name: "opencode",
    spec: `opencode-ai@${TESTED_VERSION}`,
    size: "350 MB",
    isOff: process.env.OJ_TEST_OPENCODE === "0" ? "OJ_TEST_OPENCODE=0" : null,
    program: /\/opencode-[^/]+-[^/]+(?<!-baseline)(?<!-musl)\/bin\/opencode$/,
    says: (output) => output.trim() === TESTED_VERSION,
  });
}
