/** What every `Notifier` keeps to, however it tells people. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Notifier } from "../../src/ports.ts";

export interface NotifierUnderTest {
  notifier: Notifier;
  told(): { title: string; text: string }[];
}

export function notifierContract(name: string, make: () => Promise<NotifierUnderTest>): void {
  describe(`the notifier, ${name}`, () => {
    it("tells each thing once, with its text as it is", async () => {
      const { notifier, told } = await make();
      const title = "oj: --help";
      await notifier.notify(title, "Shall I? `rm -rf` $(date) \"ü\" 'x'");
      await notifier.notify("oj", "");
      assert.deepEqual(told(), [
        { title, text: "Shall I? `rm -rf` $(date) \"ü\" 'x'" },
        { title: "oj", text: "" },
      ]);
    });
  });
}
