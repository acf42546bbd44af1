import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { startHolds } from "./holds.ts";

const forever = new AbortController().signal;

describe("an open hook", () => {
  it("gets its answer, once", async () => {
    const holds = startHolds();
    const waiting = holds.hold("agt-1", "a", forever);
    assert.equal(holds.answer("agt-1", "a", { yes: true }), true);
    assert.equal(holds.answer("agt-1", "a", { yes: false }), false);
    assert.deepEqual(await waiting, { yes: true });
  });

  it("is identified by its agent and its dialog", async () => {
    const holds = startHolds();
    const one = holds.hold("agt-1", "a", forever);
    const other = holds.hold("agt-2", "a", forever);
    assert.equal(holds.answer("agt-2", "a", { n: 2 }), true);
    assert.deepEqual(await other, { n: 2 });
    holds.release("agt-1");
    assert.equal(await one, null);
  });

  it("ends without an opinion when its caller goes, when it is asked again, or when it was settled another way", async () => {
    const holds = startHolds();
    const gone = new AbortController();
    const first = holds.hold("agt-1", "a", gone.signal);
    gone.abort();
    assert.equal(await first, null);
    const second = holds.hold("agt-1", "a", forever);
    const third = holds.hold("agt-1", "a", forever);
    assert.equal(await second, null);
    holds.release("agt-1", "a");
    assert.equal(await third, null);
    assert.equal(holds.answer("agt-1", "a", {}), false);
  });
});
