import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  agentAtWork,
  approval,
  crewAtWork,
  due,
  errored,
  exited,
  questions,
  stopped,
  tail,
} from "../../../test/fakes/agents.ts";
import { cancelJob } from "../control/job.ts";
import { replay } from "../model/state/state.ts";
import { encodeState } from "../model/state/state-text.ts";
import { agentGateEnded } from "./agent.ts";

describe("a client that prints and ends with its turn", () => {
  const prints = { run: "claude -p" };

  it("is done when it ends well, and asks nothing when its turn ends", () => {
    const { seen, pending, job } = agentAtWork(prints);
    seen(stopped);
    assert.deepEqual(pending(), []);
    seen({ ...exited, code: 0 });
    assert.equal(job()?.step, "after");
    assert.deepEqual(pending(), []);
  });

  it("goes through its gate when it ends well, and is started again with the gate's output", () => {
    const { it: w, id, seen, agent } = agentAtWork({ ...prints, on_signal: { action: "gate", run: "make" } });
    seen(stopped);
    seen({ ...exited, code: 0 });
    assert.deepEqual(due(w.state), ["run-gate"]);
    const run_id = agent().gate?.run_id ?? "";
    const outcome = { exit_code: 2, error: null, output: "no rule", prime: "", tail };
    w.play((state, moment) => agentGateEnded(state, { id, run_id, ...outcome }, moment));
    assert.deepEqual(due(w.state), ["start-agent"]);
    assert.match(agent().outbox[0]?.text ?? "", /no rule/);
  });

  it("asks about its error once it has ended, or about its death if there was none", () => {
    const one = agentAtWork(prints);
    one.seen(errored);
    assert.deepEqual(one.pending(), []);
    one.seen(exited);
    assert.deepEqual(
      one.pending().map((it) => [it.source, it.title]),
      [["error", "Rate limited: 429"]],
    );
    const other = agentAtWork(prints);
    other.seen(exited);
    assert.deepEqual(
      other.pending().map((it) => it.source),
      ["dead"],
    );
  });
});

describe("a signal", () => {
  const done = { type: "signalled", signal: "done", message: null, tail } as const;

  it("done completes the step unless the runbook says otherwise", () => {
    const { seen, job } = agentAtWork();
    seen(done);
    assert.equal(job()?.step, "after");
  });

  it("that raised a question during a turn keeps it when the turn ends", () => {
    const { seen, pending, agent } = agentAtWork();
    seen({ type: "signalled", signal: "escalate", message: "Which API?", tail });
    const [decision] = pending();
    seen(stopped);
    assert.deepEqual(pending(), [decision]);
    assert.match(decision?.context ?? "", /Which API\?/);
    assert.equal(agent().status, "idle");
    seen({ type: "submitted", text: "v2" });
    seen(stopped);
    assert.notEqual(pending()[0]?.id, decision?.id);
  });

  it("fail fails the step, escalate asks a person", () => {
    const one = agentAtWork();
    one.seen({ ...done, signal: "fail", message: "can't" });
    assert.equal(one.job()?.error, "can't");
    const other = agentAtWork();
    other.seen({ ...done, signal: "escalate", message: "which way?" });
    assert.match(other.pending()[0]?.context ?? "", /which way\?/);
  });
});

describe("a crew", () => {
  it("has the same decisions; Done ends it, Cancel cancels it", () => {
    const one = crewAtWork();
    one.seen(stopped);
    assert.equal(one.crew()?.status, "waiting");
    assert.equal(one.pending()[0]?.owner.kind, "crew");
    one.answer("nudge");
    assert.equal(one.crew()?.status, "running");
    one.seen({ type: "submitted", text: one.agent().outbox[0]?.text ?? "" });
    one.seen(stopped);
    one.answer("done");
    assert.equal(one.crew()?.status, "completed");
    const other = crewAtWork();
    other.seen(exited);
    other.answer("cancel");
    assert.equal(other.crew()?.status, "cancelled");
    assert.equal(other.agent().status, "ended");
  });
});

describe("a job that is cancelled from outside", () => {
  it("withdraws the agent's question and ends its terminal first", () => {
    const { it: w, seen, job, pending } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    w.play((state, moment) => cancelJob(state, { id: job()?.id ?? "", by: "ana", reason: null }, moment));
    assert.deepEqual(pending(), []);
    assert.deepEqual(due(w.state), ["stop-agent"]);
    seen(exited);
    assert.equal(job()?.status, "cancelled");
  });
});

it("a replay gives the same state, byte for byte", () => {
  const { it: w, seen, answer } = agentAtWork({ on_idle: { action: "nudge", attempts: 1 } });
  seen(stopped);
  seen({ type: "submitted", text: "x" });
  seen({ type: "prompted", prompt: questions, tail });
  answer(null, { choices: [[1], [1, 2]] });
  seen(exited);
  assert.equal(encodeState(replay(JSON.parse(JSON.stringify(w.events)))), encodeState(w.state));
});
