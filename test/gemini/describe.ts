/** `describe` for tests with the real client: skipped, with the reason, if it can't be installed. */
import { describe } from "vitest";
import { installed } from "./stage.ts";

if (installed.bin === null)
  process.stderr.write(`not tested with the real Gemini CLI: ${installed.reason}\n`);

export function describeGemini(what: string, tests: () => void): void {
  describe.skipIf(installed.bin === null)(`Gemini CLI ${what}`, { timeout: 400_000 }, tests);
}
