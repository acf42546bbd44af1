/** What everybody keeps to who reads scripts before they run. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { ReadScripts } from "../../src/core/script/script-check.ts";

export interface ReaderUnderTest {
  read: ReadScripts;
  /** A script that is wrong in its second line. */
  bad: string;
}

export function readScriptsContract(name: string, make: () => Promise<ReaderUnderTest>): void {
  describe(`reading scripts, ${name}`, () => {
    it("gives for each script, in its place, what is wrong with it or null", async () => {
      const { read, bad } = await make();
      const [first, second, third, fourth, ...more] = await read(["npm test", bad, 'echo "$HOME"', bad]);
      assert.deepEqual([first, third, more], [null, null, []]);
      assert.equal(second?.line, 2);
      assert.match(second?.message ?? "", /unexpected token "fi"/);
      assert.deepEqual(fourth, second);
    });

    it("has nothing to say of no scripts", async () => {
      const { read } = await make();
      assert.deepEqual(await read([]), []);
    });
  });
}
