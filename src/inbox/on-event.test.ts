import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { A, about, answer, B, brief, C, desk, held, resolved } from "../../test/fakes/inbox.ts";
import { pressed } from "./keys.ts";
import { formOf, GUARD_MS, wordsIn } from "./model.ts";

describe("when the decision in focus changes under the fingers", () => {
  it("keys pause for a moment, and the person is told who answered", () => {
    const it = desk(A, B);
    it.press("1");
    it.hear(resolved(A.id));
    it.press("enter", "j", "1", "enter");
    assert.equal(it.effects.length, 0);
    assert.equal(it.inbox.selected, A.id, "the focus stays with what was there");
    assert.match(it.inbox.notice?.text ?? "", /by ben \(web\): Yes/);
    it.now += GUARD_MS;
    it.press("enter");
    assert.equal(it.effects.length, 0, "it takes no answer any more");
    it.press("j", "1", "enter");
    assert.equal(it.effects.at(-1)?.type === "resolve" && it.inbox.sending.has(B.id), true);
  });

  it("typed text is kept, and moves on to the decision that replaced it", () => {
    const it = desk(A, B);
    it.press("t");
    it.put({ type: "typed", id: A.id, field: "text", text: "long words" });
    it.hear({ type: "decision:superseded", ...about(A.id), superseded_by: B.id });
    assert.equal(it.inbox.selected, B.id);
    assert.equal(wordsIn(formOf(it.inbox, B.id), "text"), "long words");
    assert.equal(it.inbox.mode.type, "list");
  });

  it("keys pause until the fingers do: what somebody goes on typing answers nothing, and q doesn't quit", () => {
    const it = desk(A, B);
    it.press("t");
    it.hear({ type: "decision:superseded", ...about(A.id), superseded_by: B.id });
    for (const key of ["q", "d", "x", "w", "z", "1", "enter", "d", "enter"]) {
      it.now += GUARD_MS - 1;
      if (pressed(key)) it.press(key);
      else it.put({ type: "stray" });
    }
    assert.deepEqual([it.effects, it.inbox.mode.type], [[], "list"]);
    it.now += GUARD_MS;
    it.press("2", "enter");
    assert.equal(it.effects.length, 1);
    it.hear(resolved(B.id));
    it.press("q");
    assert.equal(it.effects.at(-1)?.type, "quit");
  });

  it("somebody's answer elsewhere disturbs nobody", () => {
    const it = desk(A, B);
    it.hear(resolved(B.id));
    it.press("1", "enter");
    assert.equal(it.effects.length, 1);
  });
});

describe("live again after the connection was down", () => {
  it("the card in focus is read again, with what was answered here, and the rest once it is looked at", () => {
    const it = desk(A, B, C);
    it.press("1", "enter");
    it.put({ type: "answered", decision: { ...A, state: "resolved" } });
    it.put({ type: "pointed", id: B.id });
    it.effects.length = 0;
    it.put({ type: "connection", state: "offline" });
    it.put({ type: "listed", briefs: [brief(C)] }); // B was settled meanwhile
    assert.match(it.inbox.notice?.text ?? "", /settled while the connection was down/);
    assert.deepEqual(it.effects.map((one) => (one.type === "load" ? [one.id, one.isNews] : one)).sort(), [
      [A.id, true],
      [B.id, true],
    ]);
    it.put({ type: "loaded", decision: { ...B, state: "resolved" } });
    assert.equal(it.inbox.details.get(B.id)?.state, "resolved");
    assert.match(it.inbox.notice?.text ?? "", /settled while the connection was down/);
    it.put({ type: "pointed", id: C.id });
    assert.deepEqual(it.effects.at(-1), { type: "load", id: C.id });
  });

  it("loads nothing twice when it is listed for the first time", () => {
    const it = desk();
    it.put({ type: "listed", briefs: [brief(A)] });
    assert.deepEqual(it.effects, [{ type: "load", id: A.id }]);
  });
});

describe("an answer given here", () => {
  it("does not disturb, whether the daemon's response or its event comes first", () => {
    for (const eventFirst of [true, false]) {
      const it = desk(A);
      it.press("1", "enter");
      const view = { ...A, held: { ...answer, answer, release_at_ms: 9000 } as never };
      if (eventFirst) it.hear(held(A.id));
      it.put({ type: "answered", decision: view });
      if (!eventFirst) it.hear(held(A.id));
      it.press("u");
      const undone = { type: "decision:undone", ...about(A.id), by: "ana" } as const;
      if (eventFirst) it.hear(undone);
      it.put({ type: "taken-back", results: [{ id: A.id, decision: A }] });
      if (!eventFirst) it.hear(undone);
      assert.equal(it.inbox.guarded_until_ms, 0);
      it.press("2", "enter");
      it.put({ type: "answered", decision: { ...A, state: "resolved" } });
      it.hear(resolved(A.id));
      assert.equal(it.inbox.guarded_until_ms, 0);
      assert.equal(it.effects.filter((one) => one.type === "resolve").length, 2);
    }
  });

  it("is forgotten if somebody takes it back elsewhere, and the person is told", () => {
    const it = desk(A, B);
    it.press("1", "enter");
    it.put({
      type: "answered",
      decision: { ...A, held: { ...answer, answer, release_at_ms: 9000 } as never },
    });
    it.hear(held(A.id));
    it.hear({ type: "decision:undone", ...about(A.id), by: "ben" });
    assert.match(it.inbox.notice?.text ?? "", /ben took the answer back: it is pending again/);
    assert.deepEqual([it.inbox.answered, it.inbox.undoable], [[], []]);
  });
});
