/** What every `Notifier` keeps to, however it tells people. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Notice, Notifier } from "../../src/ports.ts";

export interface NotifierUnderTest {
  notifier: Notifier;
  told(): Pick<Notice, "title" | "text">[];
}

export function notifierContract(name: string, make: () => Promise<NotifierUnderTest>): void {
  describe(`the notifier, ${name}`, () => {
    it("tells each thing once, with its text as it is", async () => {
      const { notifier, told } = await make();
      const title = "oj: --help";
      await notifier.notify({ title, text: "Shall I? `rm -rf` $(date) \"ü\" 'x'", isUrgent: false });
      await notifier.notify({ title: "oj", text: "", isUrgent: true });
      const shown = told().map(({ title, text }) => ({ title, text }));
      assert.deepEqual(shown, [
        { title, text: "Shall I? `rm -rf` $(date) \"ü\" 'x'" },
        { title: "oj", text: "" },
      ]);
    });
  });
}
