/** What every `Shelf` keeps to, wherever the texts lie. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Shelf, Spot } from "../../src/core/model/shelf.ts";

export const put = (shelf: Shelf, text: string): Spot => {
  const spot = shelf.put(text);
  assert.ok(spot);
  return spot;
};

export function shelfContract(name: string, make: () => Promise<Shelf>): void {
  describe(`a shelf ${name}`, () => {
    it("returns each text unchanged, in any order and as often as asked", async () => {
      const shelf = await make();
      const texts = ["{}", "", "ä🙂\u0000\n", "x".repeat(1000), '"\\ud800"'];
      const spots = texts.map((it) => put(shelf, it));
      for (const n of [3, 0, 4, 4, 2, 1]) assert.equal(shelf.get(spots[n] as Spot), texts[n]);
    });

    it("returns the others when one is dropped", async () => {
      const shelf = await make();
      const spots = Array.from({ length: 50 }, (_, n) => put(shelf, `text ${n}`));
      for (const spot of spots.filter((_, n) => n % 3 === 0)) shelf.drop(spot);
      spots.forEach((spot, n) => {
        if (n % 3 !== 0) assert.equal(shelf.get(spot), `text ${n}`);
      });
    });
  });
}
