import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, due, exited, stopped } from "../../../test/fakes/agents.ts";
import { startedWith } from "./started.ts";

/** A dead agent that is being started again with two answers. */
function restarted() {
  const world = agentAtWork();
  const { it, id, seen, answer } = world;
  seen({ ...stopped, last_message: "Which one?" });
  const first = answer("reply", { message: "The first." }).id;
  seen(exited);
  const second = answer("retry").id;
  const parcel_ids = [first, second];
  const start = (incarnation = 2) =>
    it.play((state, moment) => startedWith(state, { id, incarnation, parcel_ids }, moment));
  return { ...world, start, states: () => parcel_ids.map((one) => world.decision(one).delivery.state) };
}

describe("what an agent is started with", () => {
  it("is received with the next thing that it does", () => {
    const { start, seen, states } = restarted();
    start();
    assert.deepEqual(states(), ["delivered", "delivered"]);
    seen(stopped);
    assert.deepEqual(states(), ["acknowledged", "acknowledged"]);
  });

  it("is received if its turn was over before its start was recorded, and somebody is asked how to go on", () => {
    const { it, start, seen, states, pending } = restarted();
    seen({ type: "submitted", text: "The first.\n\nPlease continue." });
    seen(stopped);
    start();
    assert.deepEqual(states(), ["acknowledged", "acknowledged"]);
    assert.deepEqual([pending().map((one) => one.source), due(it.state)], [["idle"], []]);
  });

  it("is not told by a start that is no longer awaited", () => {
    const { start, states } = restarted();
    start(1);
    assert.deepEqual(states(), ["owed", "owed"]);
  });
});
