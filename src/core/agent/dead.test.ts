import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  agentAtWork,
  approval,
  due,
  errored,
  exited,
  question,
  stopped,
  tail,
} from "../../../test/fakes/agents.ts";
import { killAgent } from "../control/agent-send.ts";

describe("a dead agent", () => {
  it("asks with the exit code; Retry starts it again on the same conversation with the message", () => {
    const { seen, pending, answer, agent, it: w, decision } = agentAtWork();
    seen({ type: "conversation", conversation: "c-1", transcript: null });
    seen(exited);
    assert.equal(pending()[0]?.source, "dead");
    assert.match(pending()[0]?.title ?? "", /exit code 1/);
    const { id } = answer("retry", { message: "once more" });
    assert.equal(agent().status, "starting");
    assert.equal(agent().incarnation, 2);
    assert.equal(agent().conversation, "c-1");
    assert.deepEqual(due(w.state), ["start-agent"]);
    seen({ type: "spawned", incarnation: 2 });
    const text = "You were interrupted: your process died (exit code 1).\n\nonce more";
    seen({ type: "submitted", text });
    assert.equal(decision(id).delivery.state, "acknowledged");
  });

  it("completes its step with Skip", () => {
    const { seen, answer, job } = agentAtWork();
    seen(exited);
    answer("skip");
    assert.equal(job()?.step, "after");
  });

  it("is resumed by itself as often as the runbook allows, then a person hears what was tried", () => {
    const { seen, pending, agent } = agentAtWork({ on_dead: { action: "resume", attempts: 2 } });
    for (const incarnation of [1, 2]) {
      seen({ ...exited, incarnation });
      assert.deepEqual(pending(), []);
      assert.equal(agent().status, "starting");
      seen({ type: "spawned", incarnation: incarnation + 1 });
    }
    seen({ ...exited, incarnation: 3 });
    assert.match(pending()[0]?.context ?? "", /Tried before asking: resume 2 times \(on_dead\)/);
  });

  it("follows the runbook even if a person killed it", () => {
    const { it: w, id, seen, pending, agent } = agentAtWork();
    w.play((state, moment) => killAgent(state, { id }, moment));
    assert.deepEqual(due(w.state), ["stop-agent"]);
    seen({ ...exited, code: null, signal: "SIGTERM" });
    assert.equal(pending()[0]?.source, "dead");
    assert.equal(agent().stopping, null);
  });

  it("is not affected by the late exit of an earlier incarnation", () => {
    const { seen, answer, agent } = agentAtWork();
    seen(exited);
    answer("retry");
    seen({ type: "spawned", incarnation: 2 });
    seen(exited);
    assert.equal(agent().status, "working");
  });

  it("is not revived by late reports, or by the screen it left", () => {
    const { seen, agent, pending, answer, decision, deliver } = agentAtWork();
    seen(stopped);
    const { id } = answer("nudge", { message: "Add tests" });
    seen(exited);
    const [dead] = pending();
    seen({ type: "prompted", prompt: approval, tail });
    for (const late of [{ type: "worked" } as const, stopped, errored]) seen(late);
    deliver();
    assert.deepEqual([agent().status, agent().prompt], ["exited", null]);
    assert.deepEqual(pending(), [dead]);
    assert.equal(decision(id).delivery.state, "owed", "it is told when it is started again");
    seen({ type: "submitted", text: "Add tests" });
    assert.equal(decision(id).delivery.state, "acknowledged", "it had heard it");
    assert.deepEqual(pending(), [dead]);
  });

  it("keeps an answer that it did not live to hear, and gets it as text", () => {
    const { seen, answer, agent } = agentAtWork({ on_dead: { action: "resume" } });
    seen({ type: "prompted", prompt: question, tail });
    answer(null, { choices: [[1]] });
    seen(exited);
    const texts = agent().outbox.map((one) => one.text);
    assert.match(texts[0] ?? "", /Which database\?\n→ Postgres/);
    assert.equal(agent().outbox[0]?.reply, null);
    assert.equal(agent().status, "starting");
  });
});
