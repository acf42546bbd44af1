import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { asker, requestInput, world } from "../../../test/fakes/core.ts";
import { answer, asked, refused } from "../../../test/fakes/requests.ts";
import { cancelDecision } from "../decision/decision.ts";
import { resolveDecision } from "../decision/give.ts";
import type { DecisionState } from "../model/decision-types.ts";
import type { DecisionId } from "../model/ids.ts";
import { isBeadId } from "../model/mirror-types.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { owed } from "../owed.ts";
import { requestDecision } from "../request/request.ts";
import { beadOf } from "./bead.ts";
import { mirrorAgain, mirrored, mirrorOff, mirrorOn } from "./mirror.ts";

const ROOT = "/repo";
const mirror = { root: ROOT, project: "shop", machine: null };

function mirroredWorld(): World {
  const it = world();
  it.play((state) => mirrorOn(state, mirror));
  return it;
}

const due = (it: World) =>
  owed(it.state).flatMap((one) => (one.type === "mirror" ? [[one.decision_id, one.shows]] : []));

const show = (it: World, id: DecisionId, shows: DecisionState) =>
  it.play((state) => mirrored(state, { id, bead: `shop-${id}`, root: ROOT, shows }));

const ENDINGS: Record<Exclude<DecisionState, "pending">, (it: World, id: DecisionId) => unknown> = {
  resolved: (it, id) => answer(it, id, 1),
  dismissed: (it, id) =>
    it.play((state, moment) =>
      resolveDecision(
        state,
        { id, choices: [], option: "dismiss", text: null, message: null, by: "ana", via: "cli" },
        moment,
      ),
    ),
  withdrawn: (it, id) =>
    it.play((state, moment) => cancelDecision(state, { id, by: "bot", reason: "found it" }, moment)),
  expired: (it, id) =>
    it.play(() => [{ type: "decision:expired", id, project: "shop", reason: "too late", by: "oj" }]),
  superseded: (it) => asked(it, { root: ROOT }),
};

describe("a mirrored project", () => {
  it("owes a bead for each new decision, and for those that were pending", () => {
    const it = world();
    const before = asked(it, { root: ROOT, requester: asker("a") });
    asked(it, { root: "/elsewhere", requester: asker("b") });
    const settled = asked(it, { root: ROOT, requester: asker("c") });
    answer(it, settled.id, 1);
    assert.deepEqual(due(it), []);
    it.play((state) => mirrorOn(state, mirror));
    assert.deepEqual(due(it), [[before.id, "pending"]]);
    assert.deepEqual(mirrorOn(it.state, mirror), []);
    const after = asked(it, { root: ROOT, requester: asker("d") });
    assert.deepEqual(due(it), [
      [before.id, "pending"],
      [after.id, "pending"],
    ]);
  });

  for (const [ending, end] of Object.entries(ENDINGS) as [
    DecisionState,
    (it: World, id: DecisionId) => void,
  ][])
    for (const isKnown of [true, false])
      it(`shows that a decision was ${ending}, ${isKnown ? "after its bead was made" : "before it had a bead"}`, () => {
        const it = mirroredWorld();
        const { id } = asked(it, { root: ROOT });
        if (isKnown) show(it, id, "pending");
        if (isKnown) assert.deepEqual(due(it), []);
        end(it, id);
        assert.ok(due(it).some(([one, shows]) => one === id && shows === ending));
        const again = decodeState(encodeState(it.state));
        assert.equal(encodeState(again), encodeState(it.state));
        show(it, id, ending);
        assert.ok(!due(it).some(([one]) => one === id));
        const wanted = beadOf(it.state.decisions.get(id) as never);
        assert.ok(wanted.labels.includes(`decision:${ending}`));
        assert.match(wanted.reason ?? "", new RegExp(`^${ending}: `));
      });

  it("is another one on another machine, though its folder has the same name", () => {
    const it = world();
    const on = (machine: "anvil" | "bench") =>
      mirrorOn(it.state, { ...mirror, machine: machine as never }).map((fact) => ({ ...fact, machine }));
    it.play(() => on("anvil") as never);
    assert.equal(on("anvil").length, 0);
    assert.equal(on("bench").length, 1);
    const ask = (machine: string, n: string) => {
      const facts = requestDecision(it.state, requestInput({ root: ROOT, requester: asker(n) }), {
        at_ms: 1,
        id: () => `dec-${n}` as never,
        clients: {} as never,
      });
      it.play(() => facts.map((fact) => ({ ...fact, machine })) as never);
    };
    ask("anvil", "a");
    ask("bench", "b");
    assert.deepEqual(due(it), [["dec-a", "pending"]]);
    assert.equal(encodeState(decodeState(encodeState(it.state))), encodeState(it.state));
  });

  it("looks again if its bead shows what is no longer true", () => {
    const it = mirroredWorld();
    const { id } = asked(it, { root: ROOT });
    answer(it, id, 1);
    show(it, id, "pending"); // it was answered while bd was running
    assert.deepEqual(due(it), [[id, "resolved"]]);
  });

  it("still says how a decision ended that was deleted meanwhile", () => {
    const it = mirroredWorld();
    const { id } = asked(it, { root: ROOT });
    show(it, id, "pending");
    answer(it, id, 1);
    it.play(() => [{ type: "decision:deleted", id, project: "shop" }]);
    assert.deepEqual(due(it), [[id, "resolved"]]);
    assert.equal(encodeState(decodeState(encodeState(it.state))), encodeState(it.state));
    show(it, id, "resolved");
    assert.deepEqual(due(it), []);
  });

  it("owes nothing once it is switched off, and compares everything that has a bead when asked to", () => {
    const it = mirroredWorld();
    const { id } = asked(it, { root: ROOT });
    show(it, id, "pending");
    answer(it, id, 1);
    show(it, id, "resolved");
    it.play((state) => mirrorAgain(state, { root: ROOT, machine: null, ids: [id] }));
    assert.deepEqual(due(it), [[id, "resolved"]]);
    it.play((state) => mirrorOff(state, mirror));
    assert.deepEqual(due(it), []);
    asked(it, { root: ROOT, requester: asker("b") });
    assert.deepEqual(due(it), []);
  });
});

describe("the parent of a request", () => {
  it("may be a bead, where decisions are mirrored", () => {
    const it = mirroredWorld();
    const decision = asked(it, { root: ROOT, mirrored: true, parent: "shop-12" });
    assert.deepEqual([decision.parent, decision.parent_bead], [null, "shop-12"]);
    assert.equal(beadOf(decision).parent, "shop-12");
    assert.match(refused(it, { parent: "shop-12" }).message, /--parent shop-12 is not a decision in shop/);
    for (const text of [
      "--force",
      "-x",
      "dec-nope",
      "job-1",
      "shop-1 --json",
      "shop",
      "a/b-1",
      `a-${"x".repeat(99)}\n`,
    ])
      assert.match(refused(it, { mirrored: true, parent: text }).message, /is not a decision/, text);
  });

  it("is a decision if one has that id", () => {
    const it = mirroredWorld();
    const first = asked(it, { root: ROOT, requester: asker("a") });
    const second = asked(it, { mirrored: true, parent: first.id, requester: asker("b") });
    assert.deepEqual([second.parent, second.parent_bead], [first.id, undefined]);
  });
});

describe("the bead of a decision", () => {
  it("says what is asked, with which options, and by whom", () => {
    const it = mirroredWorld();
    const decision = asked(it, { context: "the tests pass", blocks: ["shop-7", "--force", "PROJ_1", "x y"] });
    const { made, labels, blocks } = beadOf(decision);
    assert.equal(made?.title, decision.title);
    assert.match(
      made?.body ?? "",
      /the tests pass[\s\S]*Options:\n1\. [\s\S]*Asked by .* in shop \(request\)\nBlocks: shop-7, /,
    );
    assert.deepEqual(labels, ["gt:decision", "decision:pending", `urgency:${decision.urgency}`]);
    assert.deepEqual(blocks, ["shop-7"]);
  });

  it("has a title that bd takes, whatever was asked", () => {
    const it = mirroredWorld();
    for (const [n, prompt] of ["🧨".repeat(900), "a\n\tb\0c", "--force", `x${" ".repeat(2000)}`].entries()) {
      const { made } = beadOf(asked(it, { prompt, requester: asker(`a${n}`) }));
      assert.ok(Buffer.byteLength(made?.title ?? "") <= 500);
      assert.match(made?.title ?? "", /^[^\0\n\t]+$/u);
    }
  });

  it("has no secrets and no end of text", () => {
    const it = mirroredWorld();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const decision = asked(it, {
      prompt: `push with ${secret}?`,
      context: `${secret}\n${"x".repeat(1_000_000)}`,
    });
    answer(it, decision.id, 1, `use ${secret}`);
    const { made, reason } = beadOf(it.state.decisions.get(decision.id) as never);
    for (const text of [made?.title, made?.body, reason]) assert.ok(!text?.includes(secret));
    assert.ok((made?.body.length ?? 0) < 300_000);
  });

  it("has ids of beads only", () => {
    for (const id of ["bd-1", "shop-a3f8.1", "my-app-dec-7k3m9x2p4q", "gt_x-9"]) assert.ok(isBeadId(id), id);
    for (const id of ["", "bd", "-bd-1", "--all", "dec-1", "bd-1 x", "bd-1\n", "$(id)-1", "../a-1"])
      assert.ok(!isBeadId(id), id);
  });
});
