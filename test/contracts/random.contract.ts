/** What every source of random bytes keeps to. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Ports } from "../../src/ports.ts";

export function randomContract(name: string, make: () => Ports["random"]): void {
  describe(`random bytes, ${name}`, () => {
    it("are as many as asked for, of all values, and others each time", () => {
      const random = make();
      assert.deepEqual([...random(0)], []);
      const many = [...random(10_000)];
      assert.equal(many.length, 10_000);
      assert.ok(many.every((it) => Number.isInteger(it) && it >= 0 && it <= 255));
      assert.equal(new Set(many).size, 256);
      assert.notDeepEqual([...random(16)], [...random(16)]);
    });
  });
}
