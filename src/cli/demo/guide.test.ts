import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../../test/fakes/fake-client.ts";
import { desk, resolved } from "../../../test/fakes/inbox.ts";
import { plain } from "../base/output.ts";
import { guide } from "./guide.ts";

const two = () => desk(decision({ id: "dec-1", source: "gate" }), decision({ id: "dec-2", source: "gate" }));

describe("the tour's line above the inbox", () => {
  it("says which step this is and the key that comes next", () => {
    const it = two();
    const words = guide(plain, 2, () => true);
    const said = () => words(it.inbox, 80).join("\n");
    assert.match(said(), /^ Step 1 of 2 {2}It says done, its tests say no: press \d for ".+", then Enter\.$/);
    it.inbox = { ...it.inbox, seen: new Map() };
    it.put({ type: "saw", id: "dec-1", rest: 1 });
    assert.match(said(), /: J shows the rest of it\.$/);
    it.put({ type: "saw", id: "dec-1", rest: 0 });
    it.press("1");
    assert.match(said(), /Step 1 of 2 .*: Enter sends ".+"\.$/);
    it.hear(resolved("dec-1"));
    it.put({ type: "pointed", id: "dec-1" });
    assert.match(said(), /^ This one is answered: j goes to the next\.$/);
    it.now += 1000;
    it.press("?");
    assert.match(said(), /^ Esc goes back to the inbox\.$/);
  });

  it("waits for all agents before the first step, and fits any width", () => {
    const it = two();
    const words = guide(plain, 2, () => false);
    assert.deepEqual(words(it.inbox, 80), [" Four agents are at work. Soon they will need you."]);
    assert.deepEqual(words(it.inbox, 10), [" Four age…"]);
  });
});
