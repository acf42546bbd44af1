import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { A, B, C, desk } from "../../test/fakes/inbox.ts";
import type { Event } from "../core/model/events.ts";
import type { DecisionId } from "../core/model/ids.ts";

const sent = (id: string): Event => ({
  type: "notice:sent",
  seq: 9,
  at_ms: 9,
  id: id as DecisionId,
  project: "shop",
  key: "k",
  ref: null,
  shows: null as never,
});

const erased = (id: string): Event => ({
  type: "audit:erased",
  seq: 9,
  at_ms: 9,
  id: id as DecisionId,
  project: "shop",
  by: "ana",
  via: "cli",
  reason: null,
  records: [],
});

describe.each([
  ["a message about a decision", sent],
  ["texts that were erased", erased],
])("%s", (_, sent) => {
  it("loads the one in focus again, and forgets the text of the others", () => {
    const it = desk(A, B, C);
    it.put({ type: "pointed", id: A.id });
    it.put({ type: "marked", id: B.id });
    it.effects.length = 0;
    it.put({
      type: "events",
      events: [sent(A.id), sent(A.id), sent(B.id), sent(C.id), sent("dec-unknown000")],
    });
    assert.deepEqual(it.effects, [
      { type: "load", id: A.id, isNews: true },
      { type: "load", id: B.id, isNews: true },
    ]);
    assert.deepEqual([...it.inbox.details.keys()], [A.id, B.id]);
    assert.ok(!it.inbox.seen.has(C.id), "what is loaded again must be seen again");
    it.put({ type: "pointed", id: C.id });
    assert.deepEqual(it.effects.at(-1), { type: "load", id: C.id });
  });

  it("that was loaded before it was settled does not make it pending again", () => {
    const it = desk(A);
    it.put({ type: "loaded", decision: { ...A, state: "withdrawn" } });
    it.put({ type: "loaded", decision: A });
    assert.equal(it.inbox.details.get(A.id)?.state, "withdrawn");
  });
});
