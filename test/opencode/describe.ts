/** `describe` for tests with the real client: skipped, with the reason, if it can't be installed. */
import { describe } from "vitest";
import { EVERYTHING } from "../everything.ts";
import { installed } from "./stage.ts";

if (installed.bin === null) process.stderr.write(`not tested with the real opencode: ${installed.reason}\n`);

export function describeOpencode(what: string, tests: () => void): void {
  describe.skipIf(installed.bin === null)(`opencode ${what}`, { timeout: 400_000 }, tests);
}

/** For `npm run test:clients` alone: `npm test` shows what must be shown with one agent. */
export function describeAllOfOpencode(what: string, tests: () => void): void {
  describe.skipIf(installed.bin === null || !EVERYTHING)(`opencode ${what}`, { timeout: 400_000 }, tests);
}
