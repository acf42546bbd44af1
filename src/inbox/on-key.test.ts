import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../test/fakes/fake-client.ts";
import { A, about, B, desk, held, resolved } from "../../test/fakes/inbox.ts";
import type { DecisionView } from "../api/api.ts";
import { formOf, waiting } from "./model.ts";

describe("answering", () => {
  it("takes two keys: a number and Enter, and moves on to the next", () => {
    const it = desk(A, B);
    it.press("2", "enter");
    assert.deepEqual(it.effects, [
      { type: "resolve", id: A.id, body: { choices: [[2]], text: null, message: null } },
    ]);
    assert.equal(it.inbox.selected, B.id);
  });

  it("needs a choice: Enter alone sends nothing, whatever is recommended", () => {
    const it = desk(A);
    it.press("enter");
    assert.equal(it.effects.length, 0);
    assert.match(it.inbox.notice?.text ?? "", /choose an option/);
  });

  it("never sends twice", () => {
    const it = desk(A);
    it.press("1", "enter", "enter", "1", "enter");
    assert.equal(it.effects.length, 1);
  });

  it("takes free text, and a message along with it", () => {
    const it = desk(A, B);
    it.press("t");
    it.put({ type: "typed", id: A.id, field: "text", text: "neither" });
    it.press("enter");
    it.press("1", "r");
    it.put({ type: "typed", id: B.id, field: "message", text: "because" });
    it.press("enter");
    assert.deepEqual(
      it.effects.map((one) => one.type === "resolve" && one.body),
      [
        { choices: [], text: "neither", message: null },
        { choices: [[1]], text: null, message: "because" },
      ],
    );
  });

  it("dismisses a request too, with the reason", () => {
    const it = desk(A);
    it.put({ type: "typed", id: A.id, field: "message", text: "not now" });
    it.press("d", "enter");
    const body = { option: "dismiss", message: "not now" };
    assert.deepEqual(it.effects, [{ type: "resolve", id: A.id, body }]);
  });

  it("asks before it dismisses", () => {
    const idle = decision({
      ...A,
      source: "idle",
      options: [
        { key: "nudge", label: "Nudge" },
        { key: "dismiss", label: "Dismiss" },
      ],
    });
    const it = desk(idle);
    it.press("d", "escape");
    assert.equal(it.effects.length, 0);
    it.press("d", "enter");
    assert.deepEqual(it.effects, [{ type: "resolve", id: A.id, body: { option: "dismiss", message: null } }]);
  });

  it("can be undone while the answer is on hold", () => {
    const it = desk(A, B);
    it.press("1", "enter");
    it.hear(held(A.id));
    const view = { ...A, held: { ...(it.inbox.items.get(A.id)?.held as object) } } as DecisionView;
    it.put({ type: "answered", decision: view });
    it.press("u");
    assert.deepEqual(it.effects.at(-1), { type: "undo", ids: [A.id] });
    it.put({ type: "taken-back", results: [{ id: A.id, decision: A }] });
    assert.equal(it.inbox.selected, A.id);
    assert.equal(waiting(it.inbox), 2);
  });

  /** The answer to A is on hold, with B in focus. */
  const onHold = () => {
    const it = desk(A, B);
    it.put({ type: "typed", id: A.id, field: "message", text: "long words" });
    it.press("1", "enter");
    it.hear(held(A.id));
    const view = { ...A, held: { ...(it.inbox.items.get(A.id)?.held as object) } } as DecisionView;
    it.put({ type: "answered", decision: view });
    return it;
  };
  const takenBack = { type: "taken-back", results: [{ id: A.id, decision: A }] } as const;

  it("that is taken back has its words still, and nothing chosen", () => {
    const it = onHold();
    it.press("u");
    it.put(takenBack);
    const { choices, message } = formOf(it.inbox, A.id);
    assert.deepEqual([choices, message], [[], "long words"]);
    it.press("2", "enter");
    const body = { choices: [[2]], text: null, message: "long words" };
    assert.deepEqual(it.effects.at(-1), { type: "resolve", id: A.id, body });
  });

  it("that has gone out leaves nothing behind", () => {
    const it = onHold();
    it.hear(resolved(A.id));
    assert.equal(it.inbox.forms.has(A.id), false);
  });

  it("that is taken back takes no words from the decision that somebody writes to meanwhile", () => {
    const it = onHold();
    it.press("u", "t");
    it.put(takenBack);
    assert.deepEqual([it.inbox.selected, it.inbox.mode.type], [B.id, "write"]);
    assert.match(it.inbox.notice?.text ?? "", /was taken back/);
    it.put({ type: "typed", id: B.id, field: "text", text: "for B" });
    it.press("enter");
    const body = { choices: [], text: "for B", message: null };
    assert.deepEqual(it.effects.at(-1), { type: "resolve", id: B.id, body });
  });

  it("that is taken back gets no Enter that was meant for another one", () => {
    const it = onHold();
    it.press("u", "1");
    it.put(takenBack);
    assert.equal(it.inbox.selected, A.id);
    it.effects.length = 0;
    it.press("enter");
    assert.deepEqual(it.effects, []);
  });

  it("by pointing chooses in that place, only for the decision in focus, and not under the fingers", () => {
    const it = desk(A, B);
    it.put({ type: "chose", id: B.id, at: 0, number: 1 });
    assert.deepEqual(formOf(it.inbox, B.id).choices, []);
    it.put({ type: "chose", id: A.id, at: 0, number: 2 });
    assert.deepEqual(formOf(it.inbox, A.id).choices, [[2]]);
    it.hear(held(A.id), { type: "decision:undone", ...about(A.id), by: "ben" });
    it.put({ type: "chose", id: A.id, at: 0, number: 1 });
    assert.deepEqual(formOf(it.inbox, A.id).choices, [[2]]);
  });
});

describe("several questions", () => {
  const asked = decision({
    ...A,
    source: "question",
    questions: [
      { question: "Storage?", header: "S", multi_select: false, options: [o("Postgres"), o("SQLite")] },
      { question: "Parts?", header: "P", multi_select: true, options: [o("Auth"), o("Search"), o("Export")] },
    ],
    options: [
      { key: "cancel", label: "Cancel" },
      { key: "dismiss", label: "Dismiss" },
    ],
  });
  function o(label: string) {
    return { label, description: null };
  }

  it("are answered one after the other; a number moves on if one is enough", () => {
    const it = desk(asked);
    it.press("1", "1", "3", "3", "2", "enter");
    assert.deepEqual(it.effects, [
      { type: "resolve", id: A.id, body: { choices: [[1], [1, 2]], text: null, message: null } },
    ]);
  });

  it("must all be answered: Enter goes to the one that is not", () => {
    const it = desk(asked);
    it.press("tab", "1", "enter");
    assert.equal(it.effects.length, 0);
    assert.equal(formOf(it.inbox, A.id).at, 0);
  });

  it("each ask for their own text after Other", () => {
    const it = desk(asked);
    const type = (text: string) => it.put({ type: "typed", id: A.id, field: "text", text });
    it.press("3");
    type("DuckDB");
    it.press("escape", "tab", "t");
    assert.deepEqual(it.inbox.mode, { type: "write", field: "text" });
    it.press("enter");
    assert.deepEqual(it.inbox.mode, { type: "write", field: "text" }, "the second has none yet");
    type("Only billing");
    it.press("enter");
    assert.deepEqual(it.effects, [
      {
        type: "resolve",
        id: A.id,
        body: { choices: [[3], [4]], texts: ["DuckDB", "Only billing"], message: null },
      },
    ]);
  });

  it("ask for the text after Other", () => {
    const it = desk(asked);
    it.press("3");
    assert.deepEqual(it.inbox.mode, { type: "write", field: "text" });
    it.put({ type: "typed", id: A.id, field: "text", text: "DuckDB" });
    it.press("escape", "tab", "1", "enter");
    assert.deepEqual(it.effects, [
      { type: "resolve", id: A.id, body: { choices: [[3], [1]], text: "DuckDB", message: null } },
    ]);
  });

  it("are not cancelled by an Enter while Cancel is not on the screen", () => {
    const it = desk(asked);
    it.press("shift+tab", "2", "tab", "enter");
    assert.deepEqual([it.effects, formOf(it.inbox, A.id).at], [[], 2], "it leads to Cancel");
    assert.match(it.inbox.notice?.text ?? "", /Cancel\? Enter sends it/);
    it.press("tab", "1", "1", "enter");
    assert.deepEqual(it.effects, [
      { type: "resolve", id: A.id, body: { choices: [[1], [1]], text: null, message: null } },
    ]);
  });

  it("can be cancelled from the last place", () => {
    const it = desk(asked);
    it.press("shift+tab", "2", "enter");
    assert.deepEqual(it.effects, [
      { type: "resolve", id: A.id, body: { option: "cancel", text: null, message: null } },
    ]);
  });
});
