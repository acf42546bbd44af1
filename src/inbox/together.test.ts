import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../test/fakes/fake-client.ts";
import { A, B, brief, C, desk, held, resolved } from "../../test/fakes/inbox.ts";
import type { DecisionView } from "../api/api.ts";
import { rows } from "./order.ts";

const same = { title: "Restart it?" };
const [A1, B1, C1] = [A, B, C].map((it) => decision({ ...it, ...same })) as [
  DecisionView,
  DecisionView,
  DecisionView,
];
const other = decision({ ...A, id: "dec-dddddddddd", title: "Something else?" });
const approval = (id: `dec-${string}`, command: string) =>
  decision({
    id,
    source: "approval",
    title: "Bash",
    action: { tool: "Bash", input: { command }, sha256: command },
    options: [{ key: "approve", label: "Approve" }],
  });

const onHold = (it: DecisionView): DecisionView => ({
  ...it,
  held: { given: {}, answer: {}, held_at_ms: 0, release_at_ms: 9000 } as never,
});

describe("decisions that are alike", () => {
  it("are those with the identical action, or the identical question and options", () => {
    const group = (it: DecisionView) => brief(it).group;
    const push = approval("dec-aaaaaaaaaa", "git push");
    assert.equal(group(push), group(approval("dec-bbbbbbbbbb", "git push")));
    assert.notEqual(
      group(push),
      group(approval("dec-cccccccccc", "rm -rf /")),
      "the same tool is not enough",
    );
    assert.notEqual(group(push), group({ ...push, project: "other" }));
    assert.equal(group(A1), group(B1));
    assert.notEqual(group(A), group(B));
    const [option] = A1.options;
    assert.notEqual(group(A1), group({ ...A1, options: option ? [{ ...option, label: "No" }] : [] }));
  });

  it("are one row, which the answer goes to after asking; four keys with taking it back", () => {
    const it = desk(A1, B1, C1, other);
    assert.deepEqual(
      rows(it.inbox).map((row) => row.ids.length),
      [3, 1],
    );
    it.press("1", "enter");
    assert.equal(it.effects.length, 0);
    it.press("enter");
    const [effect] = it.effects;
    assert.ok(effect?.type === "resolve-all");
    assert.deepEqual([...effect.ids].sort(), [A.id, B.id, C.id]);
    assert.equal(it.inbox.selected, other.id);
    const all = [A1, B1, C1].map(onHold);
    it.put({ type: "answered-all", results: all.map((one) => ({ id: one.id, decision: one })) });
    it.hear(held(A.id), held(B.id), held(C.id));
    it.press("u");
    assert.deepEqual(it.effects.at(-1), { type: "undo", ids: [A.id, B.id, C.id] });
    it.put({ type: "taken-back", results: [A1, B1, C1].map((one) => ({ id: one.id, decision: one })) });
    assert.match(it.inbox.notice?.text ?? "", /3 answers were taken back/);
    assert.deepEqual(rows(it.inbox).find((row) => row.item.id === it.inbox.selected)?.ids.length, 3);
    assert.deepEqual(it.inbox.undoable, []);
  });

  it("are asked about for as long as they wait: what is said to get the answer gets it", () => {
    const it = desk(A1, B1, C1);
    it.press("1", "enter");
    it.hear(resolved(B.id), held(A.id));
    assert.deepEqual(it.inbox.mode, { type: "confirm", what: "together", ids: [C.id] });
    it.press("enter");
    const body = { choices: [[1]], text: null, message: null };
    assert.deepEqual(it.effects, [{ type: "resolve", id: C.id, body }]);
  });

  it("can be opened, each with a mark that can be taken off", () => {
    const it = desk(A1, B1, C1, other);
    it.press("M");
    assert.equal(rows(it.inbox).length, 4);
    assert.deepEqual([...it.inbox.marked].sort(), [A.id, B.id, C.id]);
    it.press("j", "m", "k", "1", "enter", "enter");
    const [effect] = it.effects;
    assert.deepEqual(effect?.type === "resolve-all" && [...effect.ids].sort(), [B.id, C.id]);
  });

  it("do not get the answer of one that has no mark", () => {
    const it = desk(A1, B1, C1);
    it.press("M", "m", "1", "enter");
    assert.deepEqual([it.effects, it.inbox.mode.type], [[], "list"]);
    assert.match(it.inbox.notice?.text ?? "", /not marked/);
    it.press("escape", "enter");
    assert.deepEqual(
      it.effects.map((one) => one.type === "resolve" && one.id),
      [C.id],
      "with no marks, the opened one is answered alone",
    );
  });

  it("are only those that the filter lets through", () => {
    const it = desk(A1, B1, C1);
    it.press("!");
    assert.deepEqual(
      rows(it.inbox).map((row) => row.ids),
      [[C.id]],
    );
    it.press("1", "enter");
    assert.equal(it.effects[0]?.type, "resolve");
    const marks = desk(A1, B1, C1);
    marks.press("M");
    marks.put({ type: "filtered", text: "aaaa" });
    assert.deepEqual([...marks.inbox.marked], [A.id]);
  });

  it("wait until each of them has been on screen", () => {
    const it = desk(A1, C1);
    it.put({ type: "listed", briefs: [A1, B1, C1].map(brief) });
    for (const one of [A1, C1]) {
      it.put({ type: "loaded", decision: one });
      it.put({ type: "saw", id: one.id, rest: 0 });
    }
    it.effects.length = 0;
    it.press("1", "enter");
    assert.deepEqual(it.effects, [{ type: "load", id: B.id }]);
    it.press("enter");
    assert.equal(it.effects.length, 1);
    it.put({ type: "loaded", decision: B1 });
    it.press("enter");
    assert.equal(it.effects.length, 1, "loaded, but not shown");
    it.put({ type: "saw", id: B.id, rest: 2 });
    it.press("enter");
    assert.match(it.inbox.notice?.text ?? "", /^2 more screens$/);
    it.put({ type: "saw", id: B.id, rest: 0 });
    it.press("enter");
    assert.equal(it.effects.at(-1)?.type, "resolve-all");
  });

  it("are dismissed together too", () => {
    const option = { key: "dismiss", label: "Dismiss", acts: false };
    const it = desk(...[A1, B1].map((one) => decision({ ...one, options: [option] })));
    it.press("d", "enter");
    assert.deepEqual(it.effects, [
      { type: "resolve-all", ids: [A.id, B.id], body: { option: "dismiss", message: null } },
    ]);
  });

  it("are no longer so if their actions differ", () => {
    const it = desk(approval("dec-aaaaaaaaaa", "ls"), approval("dec-bbbbbbbbbb", "rm -rf /"));
    it.press("m", "j", "m", "1", "enter", "enter");
    assert.deepEqual(it.effects, []);
    assert.match(it.inbox.notice?.text ?? "", /only those with the same action/);
  });
});
