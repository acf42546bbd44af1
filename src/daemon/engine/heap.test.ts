import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { Heap } from "./heap.ts";

describe("a heap", () => {
  it("gives back what is in it in order, whatever was taken out meanwhile", () => {
    const runs = fc.array(fc.record({ at: fc.integer({ min: 0, max: 20 }), isTakenOut: fc.boolean() }));
    fc.assert(
      fc.property(runs, (given) => {
        const heap = new Heap<number>();
        const entries = given.map(({ at }, index) => heap.add(at, index));
        for (const [index, { isTakenOut }] of given.entries()) {
          const entry = entries[index];
          if (isTakenOut && entry) heap.remove(entry);
        }
        const expected = given
          .flatMap(({ at, isTakenOut }, index) => (isTakenOut ? [] : [{ at, index }]))
          .sort((a, b) => a.at - b.at || a.index - b.index);
        assert.equal(heap.size, expected.length);
        const found: number[] = [];
        for (let entry = heap.first(); entry; entry = heap.first()) {
          heap.remove(entry);
          found.push(entry.item);
        }
        assert.deepEqual(
          found,
          expected.map((it) => it.index),
        );
      }),
    );
  });

  it("takes nothing out twice", () => {
    const heap = new Heap<string>();
    const first = heap.add(1, "a");
    heap.add(2, "b");
    heap.remove(first);
    heap.remove(first);
    assert.equal(heap.size, 1);
    assert.equal(heap.first()?.item, "b");
  });
});
