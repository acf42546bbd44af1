import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { forever } from "../../../../test/fakes/forever.ts";
import { startOpenHooks } from "./open-hooks.ts";

const answer = (body: object) => ({ body, call: null });

describe("an open hook", () => {
  it("gets its answer, once", async () => {
    const openHooks = startOpenHooks();
    const waiting = openHooks.wait("agt-1", "a", forever);
    assert.equal(openHooks.answer("agt-1", "a", answer({ yes: true })), true);
    assert.equal(openHooks.answer("agt-1", "a", answer({ yes: false })), false);
    assert.deepEqual(await waiting, answer({ yes: true }));
  });

  it("is identified by its agent and its dialog", async () => {
    const openHooks = startOpenHooks();
    const one = openHooks.wait("agt-1", "a", forever);
    const other = openHooks.wait("agt-2", "a", forever);
    assert.equal(openHooks.answer("agt-2", "a", answer({ n: 2 })), true);
    assert.deepEqual(await other, answer({ n: 2 }));
    openHooks.release("agt-1");
    assert.equal(await one, null);
  });

  it("ends without an opinion when its caller goes, when it is asked again, or when it was settled another way", async () => {
    const openHooks = startOpenHooks();
    const gone = new AbortController();
    const first = openHooks.wait("agt-1", "a", gone.signal);
    gone.abort();
    assert.equal(await first, null);
    const second = openHooks.wait("agt-1", "a", forever);
    const third = openHooks.wait("agt-1", "a", forever);
    assert.equal(await second, null);
    openHooks.release("agt-1", "a");
    assert.equal(await third, null);
    assert.equal(openHooks.answer("agt-1", "a", answer({})), false);
  });
});
