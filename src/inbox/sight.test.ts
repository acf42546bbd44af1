import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../test/fakes/fake-client.ts";
import { A, about, B, brief, desk, held } from "../../test/fakes/inbox.ts";
import { formOf } from "./model.ts";

const approval = decision({
  ...A,
  source: "approval",
  options: [
    { key: "approve", label: "Approve" },
    { key: "deny", label: "Deny", acts: false },
  ],
});

/** A first look is reported, so that figures know how long it took. */
const looked = { type: "look", id: A.id };

/** An inbox with the approval in focus, of which nothing has been on screen. */
function unseen() {
  const it = desk();
  it.put({ type: "listed", briefs: [approval, B].map(brief) });
  it.put({ type: "loaded", decision: approval });
  it.effects = [];
  return it;
}

describe("what has not been on screen", () => {
  it("can't be approved, and the key says what is missing", () => {
    const it = unseen();
    it.press("1", "enter");
    assert.deepEqual(it.effects, []);
    assert.match(it.inbox.notice?.text ?? "", /not all of it has been on screen/);
    it.put({ type: "saw", id: A.id, rest: 2 });
    it.press("enter");
    assert.deepEqual([it.inbox.notice?.text, it.inbox.notice?.key], ["2 more screens", "J"]);
    it.press("1");
    assert.equal(it.inbox.notice?.text, "2 more screens", "the number says so as well");
    it.put({ type: "saw", id: A.id, rest: 1 });
    it.press("enter");
    assert.equal(it.inbox.notice?.text, "1 more screen");
    assert.deepEqual(it.effects, [looked]);
    it.put({ type: "saw", id: A.id, rest: 0 });
    it.press("enter");
    assert.equal(it.inbox.sending.has(A.id), true);
  });

  it("can be denied, replied to and dismissed", () => {
    const denied = unseen();
    denied.press("2", "enter");
    assert.equal(denied.effects.at(0)?.type, "resolve");
    const replied = desk();
    replied.put({ type: "listed", briefs: [A].map(brief) });
    replied.put({ type: "loaded", decision: A });
    replied.press("t");
    replied.put({ type: "typed", id: A.id, field: "text", text: "ask ben" });
    replied.press("enter");
    assert.equal(replied.effects.at(-1)?.type, "resolve");
  });

  it("stays seen when the window is made smaller, and when an answer is taken back", () => {
    const it = unseen();
    it.put({ type: "saw", id: A.id, rest: 0 });
    it.put({ type: "saw", id: A.id, rest: 3 });
    it.press("1", "enter");
    const view = { ...approval, held: { answer: {}, release_at_ms: 9000 } as never };
    it.hear(held(A.id));
    it.put({ type: "answered", decision: view });
    it.press("u");
    it.put({ type: "taken-back", results: [{ id: A.id, decision: approval }] });
    it.press("1", "enter");
    assert.equal(it.effects.filter((one) => one.type === "resolve").length, 2);
  });

  it("is everything again once the text has changed, and nothing is chosen any more", () => {
    const it = unseen();
    it.put({ type: "saw", id: A.id, rest: 0 });
    it.press("1");
    it.put({ type: "loaded", decision: { ...approval, context: "but first: rm -rf /" } });
    assert.deepEqual(formOf(it.inbox, A.id).choices, []);
    it.now += 1000;
    it.press("1", "enter");
    assert.deepEqual(it.effects, [looked]);
  });

  it("includes what replaced a decision that had been seen, and that is loaded", () => {
    const it = unseen();
    it.put({ type: "saw", id: A.id, rest: 0 });
    it.hear({ type: "decision:superseded", ...about(A.id), superseded_by: B.id });
    assert.deepEqual(it.effects, [looked, { type: "load", id: B.id }]);
    it.put({ type: "loaded", decision: B });
    it.now += 1000;
    it.press("1", "enter");
    assert.equal(it.effects.length, 2);
  });

  it("is not believed of a decision that is not loaded", () => {
    const it = unseen();
    it.put({ type: "saw", id: B.id, rest: 0 });
    assert.equal(it.inbox.seen.has(B.id), false);
  });
});
