import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, due, exited, stopped } from "../../../test/fakes/agents.ts";
import { agentGateEnded } from "../agent/agent.ts";
import type { AgentDef } from "../model/runbook.ts";
import { sendToAgent } from "./agent-send.ts";

const done = { type: "signalled", signal: "done", message: null, tail: "" } as const;
const text = "Also update the changelog.";

/** An agent at work that a person has sent words. */
function told(more: Partial<AgentDef> = {}) {
  const world = agentAtWork(more);
  world.it.play((state, moment) => sendToAgent(state, { id: world.id, text }, moment));
  const step = () => world.job()?.steps[0]?.status;
  return { ...world, step, owes: () => due(world.it.state).some((it) => it.startsWith("deliver")) };
}

describe("an agent that says it is done before it has heard a person's words", () => {
  it("hears them when its turn ends, and is done when it says so again", () => {
    const { seen, step, owes } = told();
    seen(done);
    assert.equal(step(), "running");
    seen(stopped);
    assert.ok(owes());
    seen({ type: "submitted", text });
    seen(done);
    assert.equal(step(), "completed");
  });

  it("hears them even if its gate has passed meanwhile", () => {
    const world = agentAtWork({ on_signal: { action: "gate", run: "npm test" } });
    const { it: w, id, seen, agent, job } = world;
    seen(done);
    w.play((state, moment) => sendToAgent(state, { id, text }, moment));
    const passed = { exit_code: 0, error: null, output: "", prime: "", tail: "" };
    const passes = () =>
      w.play((state, moment) =>
        agentGateEnded(state, { id, run_id: agent().gate?.run_id ?? "", ...passed }, moment),
      );
    passes();
    assert.equal(job()?.steps[0]?.status, "running");
    seen(stopped);
    seen({ type: "submitted", text });
    seen(done);
    passes();
    assert.equal(job()?.steps[0]?.status, "completed");
  });

  it("is started again with them, if it ends with its turn", () => {
    const { seen, step, agent } = told({ run: "claude -p" });
    seen({ ...exited, code: 0 });
    assert.deepEqual([step(), agent().status, agent().incarnation], ["running", "starting", 2]);
    assert.deepEqual(
      agent().outbox.map((it) => it.text),
      [text],
    );
  });
});
