/** A few seeds of `npm run simulate`; the bugs that it must find are planted in `test/slow/simulation.test.ts`. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { PLANTED } from "../simulation/planted.ts";
import { play } from "../simulation/play.ts";
import { shrink } from "../simulation/shrink.ts";

const SMALL = { decisions: 12 };

describe("the simulation", () => {
  it("finds nothing in these seeds", async () => {
    for (const seed of [1, 2]) {
      const { violation } = await play(seed, SMALL);
      assert.equal(violation, null, JSON.stringify(violation));
    }
  });

  it("plays the same seed in the same way, step by step", async () => {
    const [one, two] = [await play(4, SMALL), await play(4, SMALL)];
    assert.deepEqual(one, two);
  });

  it("breaks at the same step again, and finds out what is not needed for that", async () => {
    const plant = PLANTED.find((it) => it.breaks === "what was told as done is on disk") ?? assert.fail();
    const [one, two] = [await play(1, { plant }), await play(1, { plant })];
    assert.equal(one.violation?.truth, plant.breaks);
    assert.deepEqual([one.steps, one.print], [two.steps, two.print]);
    const { played, without } = await shrink(one, { plant });
    assert.ok(without.includes("crashes") && played.steps <= one.steps);
    assert.equal(played.violation?.truth, plant.breaks);
  });
});
