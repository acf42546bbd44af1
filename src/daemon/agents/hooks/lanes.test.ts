import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeClock } from "../../../../test/fakes/fake-clock.ts";
import { forever } from "../../../../test/fakes/forever.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { startLanes } from "./lanes.ts";

function setup() {
  const clock = fakeClock();
  const lanes = startLanes(clock);
  const passed: string[] = [];
  const report = (agent: `agt-${string}`, name: string, bytes = 100, abort = forever) =>
    lanes.pass(agent, bytes, abort, async () => void passed.push(name)).catch((error) => error);
  return { clock, lanes, passed, report };
}

describe("the lane of an agent", () => {
  it("never loses a report from one that waits for each response, however fast it is", async () => {
    const { clock, passed, report } = setup();
    let over = false;
    const work = (async () => {
      for (let n = 0; n < 2000; n++) assert.equal(await report("agt-a", String(n)), undefined);
      over = true;
    })();
    while (!over) {
      await settled();
      clock.pass(10);
    }
    await work;
    assert.deepEqual(
      passed,
      Array.from({ length: 2000 }, (_, n) => String(n)),
    );
    assert.ok(clock.monotonic() >= 17_000, "2000 are 200 at once and 100 a second");
  });

  it("lets reports pass in order, and counts large ones as several", async () => {
    const { clock, passed, report } = setup();
    const all = [
      report("agt-a", "4 MB", 4_000_000), // 123 of 200
      report("agt-a", "another", 4_000_000),
      report("agt-a", "small"),
    ];
    await settled();
    assert.deepEqual(passed, ["4 MB"]);
    clock.pass(400);
    await settled();
    assert.deepEqual(passed, ["4 MB"], "the small one does not overtake");
    clock.pass(100);
    await Promise.all(all);
    assert.deepEqual(passed, ["4 MB", "another", "small"]);
  });

  it("refuses a flood, and another agent's lane stays free", async () => {
    const { clock, passed, report } = setup();
    const flood = Array.from({ length: 1000 }, (_, n) => report("agt-a", `flood ${n}`, 1_000_000));
    assert.equal(await report("agt-b", "other"), undefined);
    const refused = (await Promise.all(flood.slice(128))).map((it) => it.code);
    assert.deepEqual(refused, Array(872).fill("request.too-many"));
    assert.ok(passed.includes("other"));
    for (let n = 0; n < 128; n++) {
      clock.pass(400);
      await settled();
    }
    assert.equal(passed.length, 129, "those that were let in had their turn");
    assert.equal(await report("agt-a", "later"), undefined);
  });

  it("forgets callers that went away while waiting, and counts open ones", async () => {
    const { clock, lanes, passed, report } = setup();
    const leaving = new AbortController();
    let answer = () => {};
    const held = Array.from({ length: 100 }, () =>
      lanes.pass("agt-a", 1, forever, () => new Promise<void>((resolve) => (answer = resolve))),
    );
    await report("agt-a", "first", 3_200_000);
    const all = [
      report("agt-a", "gone", 3_200_000, leaving.signal),
      ...Array.from({ length: 27 }, (_, n) => report("agt-a", `next ${n}`)),
    ];
    assert.equal((await report("agt-a", "one too many")).code, "request.too-many");
    leaving.abort();
    assert.equal((await all[0]).code, "timeout");
    clock.pass(1000);
    await Promise.all(all);
    assert.deepEqual(passed.slice(0, 2), ["first", "next 0"]);
    answer();
    await held[99];
    assert.equal(await report("agt-a", "after an answer"), undefined);
  });
});
