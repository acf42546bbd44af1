/** `describe` for tests with the real client: skipped, with the reason, if it can't be installed. */
import { describe } from "vitest";
import { EVERYTHING } from "../everything.ts";
import { installed } from "./stage.ts";

if (installed.bin === null)
  process.stderr.write(`not tested with the real Gemini CLI: ${installed.reason}\n`);

export function describeGemini(what: string, tests: () => void): void {
  describe.skipIf(installed.bin === null)(`Gemini CLI ${what}`, { timeout: 400_000 }, tests);
}

/** For `npm run test:clients` alone: `npm test` shows what must be shown with one agent. */
export function describeAllOfGemini(what: string, tests: () => void): void {
  describe.skipIf(installed.bin === null || !EVERYTHING)(`Gemini CLI ${what}`, { timeout: 400_000 }, tests);
}
