import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../test/fakes/fake-client.ts";
import { A, B, brief, C, desk, held } from "../../test/fakes/inbox.ts";
import type { DecisionFact } from "../core/model/events.ts";
import { counts, toggleFacet } from "./facets.ts";
import { waiting } from "./model.ts";
import { listed, rows } from "./order.ts";

describe("the list", () => {
  it("has high urgency first, then the oldest; what is answered comes last", () => {
    const it = desk(A, B, C);
    assert.deepEqual(
      listed(it.inbox).map((one) => one.id),
      [C.id, A.id, B.id],
    );
    it.hear(held(A.id));
    assert.deepEqual(
      listed(it.inbox).map((one) => one.id),
      [C.id, B.id, A.id],
    );
    assert.equal(waiting(it.inbox), 2);
  });

  it("stays identical after a look at a decision, and after facts about others: nothing is redrawn", () => {
    const it = desk(A, B);
    const { items } = it.inbox;
    it.put({ type: "loaded", decision: B });
    it.hear({ type: "job:completed", id: "job-aaaaaaaaaa", project: "shop" } as never as DecisionFact);
    assert.equal(it.inbox.items, items);
  });

  it("keeps its rows until it changes; the decision in focus stands for its group", () => {
    const [one, other] = ["dec-a", "dec-b"].map((id) => ({ ...brief(A), id, group: "alike" }) as never);
    const it = desk();
    it.put({ type: "listed", briefs: [one as never, other as never, brief(C)] });
    const before = rows(it.inbox);
    assert.equal(rows({ ...it.inbox, marked: new Set(["dec-a"]) }), before);
    const row = (selected: string | null) =>
      rows({ ...it.inbox, selected }).find((one) => one.alike === 2) ?? assert.fail("no group");
    assert.deepEqual(
      [row(null).item.id, row("dec-b").item.id, row(C.id).item.id],
      ["dec-a", "dec-b", "dec-a"],
    );
    assert.deepEqual(row("dec-b").ids, ["dec-a", "dec-b"]);
    const unfolded = rows({ ...it.inbox, unfolded: new Set(["alike"]), selected: "dec-b" });
    assert.deepEqual(
      unfolded.map((one) => one.item.id),
      [C.id, "dec-a", "dec-b"],
    );
    assert.equal(rows(it.inbox).length, 2, "and folded again");
  });

  it("starts at the first, and an arrival moves nothing", () => {
    const it = desk(A, B);
    assert.equal(it.inbox.selected, A.id);
    it.put({ type: "events", events: [] });
    it.put({ type: "listed", briefs: [C, A, B].map(brief) });
    assert.equal(it.inbox.selected, A.id);
  });

  it("is filtered by urgency and by words, and unfiltered again", () => {
    const it = desk(A, B, C);
    it.press("j", "!");
    assert.deepEqual(
      listed(it.inbox).map((one) => one.id),
      [C.id],
    );
    assert.equal(it.inbox.selected, C.id, "the first match is in focus");
    it.press("a");
    it.put({ type: "filtered", text: "BBBB" });
    assert.deepEqual(
      listed(it.inbox).map((one) => one.id),
      [B.id],
    );
    assert.equal(it.inbox.selected, B.id);
    it.put({ type: "filtered", text: "no such words" });
    assert.equal(it.inbox.selected, null, "no match");
    it.press("1", "enter", "m", "d", "t");
    assert.deepEqual([it.effects, it.inbox.mode.type], [[], "list"]);
  });
});

describe("the counts", () => {
  const D = decision({ ...A, id: "dec-dddddddddd", source: "plan", project: "mail" });

  it("are by urgency, project and source, without what is already answered", () => {
    const it = desk(A, B, C, D);
    it.hear(held(B.id));
    assert.deepEqual(counts(it.inbox), {
      urgency: [
        ["high", 1],
        ["medium", 2],
        ["low", 0],
      ],
      project: [
        ["shop", 2],
        ["mail", 1],
      ],
      source: [
        ["request", 2],
        ["plan", 1],
      ],
    });
  });

  it("can be filtered by", () => {
    const it = desk(A, C, D);
    it.put({ type: "filtered", text: toggleFacet("", "source", "plan") });
    assert.deepEqual(
      listed(it.inbox).map((one) => one.id),
      [D.id],
    );
    assert.equal(toggleFacet("words source:plan", "source", "request"), "words source:request");
    assert.equal(toggleFacet("words source:plan", "source", "plan"), "words");
  });
});
