import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { asker, OTHERS, world } from "../../../test/fakes/core.ts";
import { answer, asked, context, option, refused, runbook } from "../../../test/fakes/requests.ts";
import { cancelDecision } from "../decision/decision.ts";
import type { Decision } from "../model/decision-types.ts";
import { successorOf } from "../model/decision-types.ts";
import type { DecisionId } from "../model/ids.ts";
import { findDecision } from "../model/state/find.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import type { RequestInput } from "./types.ts";

const withdraw = (it: World, id: string) =>
  it.play((state, moment) => cancelDecision(state, { id, by: "bot", reason: "found it" }, moment));

describe("the decision that a request follows", () => {
  function followed(end: (it: World, id: DecisionId) => void): World & { id: DecisionId } {
    const it = world();
    const { id } = asked(it);
    end(it, id);
    return Object.assign(it, { id });
  }
  const ended = (type: string) => (it: World, id: DecisionId) =>
    it.play(() => [{ type, id, project: "shop", reason: "too late", by: "auto-close" } as never]);

  for (const [state, end, message] of [
    ["withdrawn", withdraw, "was withdrawn (found it): nothing was decided"],
    ["expired", ended("decision:expired"), "expired (too late): nothing was decided"],
    ["superseded", (it: World) => asked(it), "was replaced by dec-0002"],
    [
      "dismissed",
      (it: World, id: DecisionId) =>
        it.play(() => [{ type: "decision:resolved", id, project: "shop", state: "dismissed" } as never]),
      "was dismissed: nothing was decided",
    ],
  ] as const)
    it(`may not be ${state}`, () => {
      const it = followed(end as never);
      assert.equal(findDecision(it.state, it.id).state, state);
      const refusal = refused(it, { predecessor: it.id, requester: asker("new") });
      assert.equal(refusal.code, "decision.predecessor");
      assert.equal(refusal.message, `the request was refused: --predecessor ${it.id} ${message}`);
    });

  it("must be answered, and is linked", () => {
    const it = followed((world, id) => answer(world, id, 1));
    assert.equal(asked(it, { predecessor: it.id.slice(4) }).predecessor, it.id);
  });

  it("may require a template through its answer, even if the request has options of its own", () => {
    for (const options of [[], [option("Fine"), option("Adjust", "not like this")]]) {
      const it = world();
      const { id } = asked(it, { template: "review", options, ...context });
      assert.equal(successorOf(findDecision(it.state, id)), null);
      answer(it, id, 2);
      assert.equal(successorOf(findDecision(it.state, id)), "checkpoint");
      const refusal = refused(it, { predecessor: id });
      assert.equal(refusal.code, "decision.predecessor");
      assert.match(refusal.message, /after "adjust" on dec-0001, a request must use template "checkpoint"/i);
      assert.equal(refusal.hint, `oj decision request --template checkpoint --predecessor ${id} …`);
      const fields = { progress: "some", next_steps: ["more"] };
      assert.equal(asked(it, { predecessor: id, template: "checkpoint", fields }).predecessor, id);
    }
  });

  it("requires nothing after another answer", () => {
    const it = world();
    const { id } = asked(it, { template: "review", options: [], ...context });
    answer(it, id, 1);
    assert.equal(asked(it, { predecessor: id }).predecessor, id);
  });
});

describe("an answer that requires a follow-up request", () => {
  const next = { template: "checkpoint", fields: { progress: "some", next_steps: ["more"] } };

  /** The bot was told to adjust: it must continue with a checkpoint. */
  function demanding(): World & { id: DecisionId } {
    const it = world();
    const { id } = asked(it, { template: "review", options: [], ...context });
    answer(it, id, 2);
    return Object.assign(it, { id });
  }

  const passedOver = (it: World & { id: DecisionId }, more: Partial<RequestInput>) => {
    const before = encodeState(it.state);
    const refusal = refused(it, more);
    assert.equal(refusal.code, "decision.predecessor");
    assert.equal(
      refusal.message,
      `the request was refused: "adjust" on ${it.id} must be followed by a request with template "checkpoint" before anything else is asked`,
    );
    assert.equal(refusal.hint, `oj decision request --template checkpoint --predecessor ${it.id} …`);
    assert.equal(encodeState(it.state), before, "nothing else is touched");
  };

  it("can't be evaded by following nothing, or something else", () => {
    const it = demanding();
    const { id: older } = asked(it, { requester: asker("ana", { is_agent: false }) });
    answer(it, older, 1);
    passedOver(it, {});
    passedOver(it, next);
    passedOver(it, { predecessor: older });
    const follower = asked(it, { ...next, predecessor: it.id });
    answer(it, follower.id, 1);
    assert.equal(asked(it).predecessor, null, "and then it may ask what it likes");
  });

  it("can't be evaded by replacing the follow-up, or withdrawing it", () => {
    const it = demanding();
    const first = asked(it, { ...next, predecessor: it.id });
    passedOver(it, {});
    const second = asked(it, { ...next, predecessor: it.id });
    assert.equal(second.supersedes, first.id);
    withdraw(it, second.id);
    passedOver(it, {});
    assert.deepEqual(decodeState(encodeState(it.state)).unfollowed, new Set([it.id]));
  });

  it("binds the one who asked, and nobody else", () => {
    const it = demanding();
    const all: Decision[] = OTHERS.map((other) => asked(it, other));
    assert.equal(it.pending().length, all.length);
    passedOver(it, {});
  });

  it("does not lock out somebody who can't comply because the project no longer has that template", () => {
    const it = demanding();
    const templates = runbook.templates.filter((one) => one.name !== "checkpoint");
    assert.equal(asked(it, { runbook: { ...runbook, templates } }).state, "pending");
  });
});
