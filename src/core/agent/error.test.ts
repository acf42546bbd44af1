import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, due, errored } from "../../../test/fakes/agents.ts";
import { agentCooled } from "./agent.ts";

describe("an agent's error", () => {
  it("is told in words, once, even if the client printed JSON", () => {
    const { seen, pending } = agentAtWork();
    const json = '{"type":"error","error":{"type":"rate_limit_error","message":"Too many tokens."}}';
    const message = `API Error: 429 ${json}`;
    seen({ ...errored, message, last_message: "API Error: 429 Too many tokens." });
    const [decision] = pending();
    assert.equal(decision?.title, "Rate limited: API Error: 429 Too many tokens.");
    assert.ok(!decision?.context.includes("{"), decision?.context);
    assert.equal(decision?.context.split("Too many tokens").length, 2);
  });

  it("is a source of its own with its own options", () => {
    const { seen, pending } = agentAtWork();
    seen(errored);
    assert.equal(pending()[0]?.source, "error");
    assert.deepEqual(
      pending()[0]?.options.map((one) => one.label),
      ["Retry", "Skip", "Cancel", "Dismiss"],
    );
    assert.match(pending()[0]?.context ?? "", /429/);
  });

  it("follows the first entry that matches, waits for the cooldown, and keeps count", () => {
    const {
      seen,
      pending,
      agent,
      it: w,
      id,
    } = agentAtWork({
      on_error: [
        { match: "rate_limited", action: "resume", cooldown_ms: 60_000, attempts: 2 },
        { action: "escalate" },
      ],
    });
    seen(errored);
    assert.equal(agent().outbox.length, 1);
    seen({ type: "submitted", text: agent().outbox[0]?.text ?? "" });
    seen(errored);
    assert.equal(agent().outbox.length, 0);
    assert.ok(agent().cooling);
    assert.deepEqual(due(w.state), ["wake-agent"]);
    w.play((state, moment) => agentCooled(state, { id }, moment));
    assert.equal(agent().outbox.length, 1);
    seen({ type: "submitted", text: agent().outbox[0]?.text ?? "" });
    seen(errored);
    assert.match(pending()[0]?.context ?? "", /Tried before asking: resume 2 times/);
    seen({ ...errored, kind: "unauthorized" });
    assert.equal(pending().length, 1);
  });
});

describe("an agent that fails over and over, without end and without a cooldown", () => {
  it("pauses between its attempts after the tenth, longer each time", () => {
    const { seen, agent, it: w, id } = agentAtWork({ on_dead: { action: "resume", attempts: "forever" } });
    const dies = () => {
      const { incarnation } = agent();
      seen({ type: "spawned", incarnation });
      seen({ type: "exited", incarnation, code: 1, signal: null, error: null, tail: "" });
    };
    const rests: number[] = [];
    for (let n = 0; n < 18; n++) {
      dies();
      const { cooling, attempts } = agent();
      if (!cooling) continue;
      rests.push((cooling.until_ms - (attempts.on_dead?.at_ms ?? 0)) / 1000);
      w.play((state, moment) => agentCooled(state, { id }, moment));
    }
    assert.deepEqual(rests, [4, 8, 16, 32, 60, 60], "the first two are over before it dies again");
  });
});
