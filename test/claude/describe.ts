/** `describe` for tests with the real client: skipped, with the reason, if it can't be installed. */
import { describe } from "vitest";
import { installed } from "./stage.ts";

if (installed.bin === null)
  process.stderr.write(`not tested with the real Claude Code: ${installed.reason}\n`);

export function describeClaude(what: string, tests: () => void): void {
  describe.skipIf(installed.bin === null)(`Claude Code ${what}`, { timeout: 400_000 }, tests);
}
