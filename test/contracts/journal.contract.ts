/** What every `Journal` keeps to, wherever its lines go. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Journal } from "../../src/ports.ts";
import type { Line } from "../fakes/fake-journal.ts";

export interface JournalUnderTest {
  journal: Journal;
  /** All that it has, oldest first. */
  lines(): Promise<Line[]>;
}

export function journalContract(name: string, make: () => Promise<JournalUnderTest>): void {
  describe(`the journal, ${name}`, () => {
    it("has a line for each thing said, in order, with its level and its fields", async () => {
      const { journal, lines } = await make();
      journal.debug("looked");
      journal.info("started", { pid: 7, seq: 0 });
      journal.warn("late", { key: "a\nb", more: { deep: [1, null] } });
      journal.error("crashed", { error: "ü\u001b[31m" });
      assert.deepEqual(await lines(), [
        { level: "debug", message: "looked", fields: {} },
        { level: "info", message: "started", fields: { pid: 7, seq: 0 } },
        { level: "warn", message: "late", fields: { key: "a\nb", more: { deep: [1, null] } } },
        { level: "error", message: "crashed", fields: { error: "ü\u001b[31m" } },
      ]);
    });

    it("takes many lines at once", async () => {
      const { journal, lines } = await make();
      for (let n = 0; n < 500; n++) journal.info(`line ${n}`);
      const said = (await lines()).map((it) => it.message);
      assert.deepEqual(
        said,
        Array.from({ length: 500 }, (_, n) => `line ${n}`),
      );
    });
  });
}
