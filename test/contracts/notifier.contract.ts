/** What every `Notifier` keeps to, however it tells people. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Notice, Notifier } from "../../src/ports.ts";

export interface NotifierUnderTest {
  notifier: Notifier;
  told(): Pick<Notice, "title" | "text">[];
  /** Nothing can be shown any more. */
  breaks(): void;
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

    it("says why it shows nothing, and never fails", async () => {
      const { notifier, told, breaks } = await make();
      const hello = { title: "oj", text: "hello", isUrgent: false };
      assert.equal(await notifier.notify(hello), null);
      assert.equal(await notifier.check(), null);
      breaks();
      assert.match((await notifier.notify(hello)) ?? "", /\S/);
      assert.equal(told().length, 1);
    });
  });
}
