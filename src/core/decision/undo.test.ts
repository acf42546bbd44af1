import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { jobDef, requestInput, world } from "../../../test/fakes/core.ts";
import type { DecisionId, JobId } from "../model/ids.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { owed } from "../owed.ts";
import { requestDecision } from "../request/request.ts";
import type { ResolveInput } from "./answer.ts";
import { cancelDecision } from "./decision.ts";
import { holdAnswer, releaseAnswer, resolveDecision } from "./give.ts";
import { undoAnswer } from "./undo.ts";

const input = { choices: [[1]], text: null, message: null, by: "ana", via: "web" } as const;

/** A job that asks, and an answer that is on hold for five seconds. */
function held(): { it: World; id: DecisionId; job: JobId } {
  const it = world();
  const job = it.start(jobDef({ ask: { decision: {} }, after: {} }));
  const [id] = it.state.pending;
  if (!id) throw new Error("nothing was asked");
  hold(it, id);
  return { it, id, job };
}

function hold(it: World, id: string, more: Partial<ResolveInput> = {}): void {
  it.play((state, moment) =>
    holdAnswer(state, { ...input, choices: [[1]], id, delay_ms: 5000, ...more }, moment),
  );
}

const code = (wanted: string) => (error: { code: string }) => error.code === wanted;

describe("an answer in its undo window", () => {
  it("changes nothing yet: the decision is pending, the job waits, and only its release is owed", () => {
    const { it, id, job } = held();
    const decision = it.state.decisions.get(id);
    assert.equal(decision?.state, "pending");
    assert.equal(decision.answer, null);
    assert.deepEqual(decision.held?.answer.labels, ["yes"]);
    assert.equal(it.job(job).status, "waiting");
    assert.deepEqual(
      owed(it.state).map((effect) => effect.type),
      ["release-answer"],
    );
  });

  it("has won: a second answer is refused and told who was first, through every route", () => {
    const { it, id } = held();
    assert.throws(() => hold(it, id, { by: "ben" }), /already answered: yes, by ana \(web\)/);
    assert.throws(
      () => it.play((state, moment) => resolveDecision(state, { ...input, choices: [[2]], id }, moment)),
      code("decision.already-resolved"),
    );
  });

  it("goes out as it was given", () => {
    const { it, id, job } = held();
    it.play((state, moment) => releaseAnswer(state, { id }, moment));
    const decision = it.state.decisions.get(id);
    assert.equal(decision?.state, "resolved");
    assert.equal(decision.held, null);
    assert.deepEqual([decision.answer?.by, decision.answer?.via, decision.answer?.chosen], ["ana", "web", 1]);
    assert.equal(it.job(job).step, "after");
    assert.deepEqual(
      it.play((state, moment) => releaseAnswer(state, { id }, moment)),
      [],
    );
  });

  it("can be taken back, and another given", () => {
    const { it, id } = held();
    it.play((state, moment) => undoAnswer(state, { id, by: "ana" }, moment));
    assert.equal(it.state.decisions.get(id)?.held, null);
    assert.deepEqual(owed(it.state), []);
    hold(it, id, { choices: [[2]] });
    it.play((state, moment) => releaseAnswer(state, { id }, moment));
    assert.equal(it.state.decisions.get(id)?.answer?.chosen, 2);
  });

  it("can't be taken back once it is out, or if there is none", () => {
    const { it, id } = held();
    it.play((state, moment) => releaseAnswer(state, { id }, moment));
    const undo = () => it.play((state, moment) => undoAnswer(state, { id, by: "ana" }, moment));
    assert.throws(undo, /the answer was sent/);
    assert.throws(undo, code("decision.not-held"));
  });

  it("goes with its question: nothing is released for one that was withdrawn", () => {
    const it = world();
    it.play((state, moment) => requestDecision(state, requestInput(), moment));
    const [id] = it.state.pending as Set<DecisionId>;
    if (!id) throw new Error("nothing was asked");
    hold(it, id);
    it.play((state, moment) => cancelDecision(state, { id, by: "bot", reason: null }, moment));
    assert.deepEqual(owed(it.state), []);
    assert.deepEqual(
      it.play((state, moment) => releaseAnswer(state, { id }, moment)),
      [],
    );
  });

  it("is refused at once if it makes no sense", () => {
    const { it, id } = held();
    it.play((state, moment) => undoAnswer(state, { id, by: "ana" }, moment));
    assert.throws(() => hold(it, id, { choices: [[7]] }), code("decision.out-of-range"));
  });

  it("survives a restart, and is released when its time has come", () => {
    const { it, id } = held();
    const again = decodeState(encodeState(it.state));
    assert.equal(encodeState(again), encodeState(it.state));
    const [effect] = owed(again);
    assert.equal(effect?.type === "release-answer" && effect.decision_id, id);
  });
});
