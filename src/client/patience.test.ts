import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { askingSince, patiently } from "./patience.ts";

/** A look every so many milliseconds; how many there are until it is over. */
function looksAt(everyMs: number): { looks: number; ms: number } {
  let ms = 0;
  const isOver = askingSince(0, () => ms);
  for (let looks = 1; ; looks++) {
    ms += everyMs;
    if (isOver()) return { looks, ms };
  }
}

describe("the patience of a request", () => {
  it("ends after 20 seconds", () => {
    assert.deepEqual(looksAt(200), { looks: 100, ms: 20_000 });
  });

  it("lasts longer on a machine that is too busy to look often", () => {
    assert.deepEqual(looksAt(1000), { looks: 40, ms: 40_000 });
  });

  it("ends after two minutes, however seldom it could look", () => {
    assert.deepEqual(looksAt(30_000), { looks: 4, ms: 120_000 });
  });

  it("throws what happened last", async () => {
    const lost = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    let calls = 0;
    const call = async () => {
      calls += 1;
      throw lost;
    };
    const health = async () => assert.fail("the daemon is not asked once it is over");
    await assert.rejects(patiently({ health, isOver: () => calls === 1 }, call), lost);
    assert.equal(calls, 1);
  });
});
