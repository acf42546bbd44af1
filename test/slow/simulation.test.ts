import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { someOf } from "../everything.ts";
import { PLANTED } from "../simulation/planted.ts";
import { play } from "../simulation/play.ts";

/** Each is found in the first few seeds. */
const MOST_SEEDS = 1000;

describe("the simulation finds a planted bug", () => {
  it.each(someOf(PLANTED, 6))("$name", async (plant) => {
    for (let seed = plant.from ?? 1; seed <= MOST_SEEDS; seed++) {
      const { violation } = await play(seed, { plant, decisions: 60 });
      if (violation?.truth === plant.breaks) return;
    }
    assert.fail(`nothing broke "${plant.breaks}"`);
  });
});
