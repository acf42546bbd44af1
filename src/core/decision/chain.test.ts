import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { asker, requestInput, world } from "../../../test/fakes/core.ts";
import type { DecisionId } from "../model/ids.ts";
import { findDecision } from "../model/state/find.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { requestDecision } from "../request/request.ts";
import type { Branch } from "./chain.ts";
import { chainOf } from "./chain.ts";
import { resolveDecision } from "./give.ts";

const all = () => true;

function asked(it: World, from: string | null, more: { parent?: string; name?: string } = {}): DecisionId {
  const requester = asker(more.name ?? "ana", { is_agent: false });
  const [created] = it.play((state, moment) =>
    requestDecision(
      state,
      requestInput({ requester, predecessor: from, parent: more.parent ?? null }),
      moment,
    ),
  );
  return (created as { id: DecisionId }).id;
}

function answered(it: World, from: string | null): DecisionId {
  const id = asked(it, from);
  const answer = { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const };
  it.play((state, moment) => resolveDecision(state, answer, moment));
  return id;
}

/** Draws branches as `a(b c(d))`, by the last character of each id. */
function drawn(branches: Branch[]): string {
  return branches
    .map(
      ({ decision, branches: more }) => decision.id.slice(-1) + (more.length > 0 ? `(${drawn(more)})` : ""),
    )
    .join(" ");
}

function chain(it: World, id: string, isShown: Parameters<typeof chainOf>[2] = all) {
  const found = chainOf(it.state, findDecision(it.state, id), isShown);
  return {
    ...found,
    up: found.ancestors.map((one) => one.id.slice(-1)).join(" "),
    down: drawn(found.descendants),
  };
}

function family(): World {
  const it = world();
  const first = answered(it, null); // 1
  const second = answered(it, first); // 2
  asked(it, first); // 3
  const fourth = answered(it, second); // 4
  asked(it, fourth); // 5
  asked(it, null, { parent: fourth }); // 6
  return it;
}

/** An old log may contain this; no rule of ours produces it. */
function link(it: World, id: string, predecessor: string): void {
  const decision = findDecision(it.state, id);
  it.play(() => [{ ...decision, type: "decision:created", id: decision.id, predecessor } as never]);
}

describe("a chain", () => {
  it("has the decisions it came from, the earliest first, and those that followed", () => {
    const { up, down, gone, is_cycle, left_out } = chain(family(), "dec-0004");
    assert.deepEqual([up, down, gone, is_cycle, left_out], ["1 2", "5 6", null, false, 0]);
  });

  it("is a tree from its root", () => {
    assert.deepEqual([chain(family(), "dec-0001").up, chain(family(), "dec-0001").down], ["", "2(4(5 6)) 3"]);
  });

  it("is the same after a restart", () => {
    const it = family();
    const state = decodeState(encodeState(it.state));
    assert.equal(chain({ ...it, state }, "dec-0001").down, "2(4(5 6)) 3");
  });

  it("says that it begins before what is kept", () => {
    const it = family();
    it.play(() => [{ type: "decision:deleted", id: "dec-0001", project: "shop" }]);
    assert.deepEqual([chain(it, "dec-0002").up, chain(it, "dec-0002").gone], ["", "dec-0001"]);
  });

  it("shows nothing that may not be seen", () => {
    const isShown = (one: { id: string }) => one.id !== "dec-0002";
    const { up, gone } = chain(family(), "dec-0004", isShown);
    assert.deepEqual([up, gone, chain(family(), "dec-0001", isShown).down], ["", "dec-0002", "3"]);
  });

  it("ends at a cycle, and at a decision that follows itself", () => {
    const it = family();
    link(it, "dec-0001", "dec-0005");
    const { up, down, is_cycle } = chain(it, "dec-0002");
    assert.deepEqual([up, down, is_cycle], ["4 5 1", "", true]);
    const alone = world();
    asked(alone, null);
    link(alone, "dec-0001", "dec-0001");
    assert.deepEqual([chain(alone, "dec-0001").is_cycle, chain(alone, "dec-0001").down], [true, ""]);
  });

  it("shows the nearest if there are too many", () => {
    const it = world();
    const root = answered(it, null);
    for (let number = 0; number < 510; number++) asked(it, root);
    const found = chain(it, root);
    assert.deepEqual([found.descendants.length, found.left_out], [500, 10]);
    let last = root;
    for (let number = 0; number < 600; number++) last = answered(it, last);
    assert.equal(chain(it, last).ancestors.length, 500);
  });
});
