import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, comingAgent, due, exited, stopped } from "../../../test/fakes/agents.ts";
import { startedFor, startedWith } from "./started.ts";

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

describe("the task of a program", () => {
  const task = "Build it";
  const coming = () => {
    const world = comingAgent({ run: "./repl" });
    const start = (incarnation: number, text = task) =>
      world.it.play((state, moment) => startedFor(state, { id: world.id, incarnation, task: text }, moment));
    return { ...world, start, owed: () => world.agent().outbox.map((it) => it.text) };
  };

  it("is owed with the record of its start, and not where there is none", () => {
    const { start, owed, agent } = coming();
    start(1);
    start(1);
    assert.deepEqual([owed(), agent().spawned], [[task], true]);
    const without = coming();
    without.start(1, "");
    assert.deepEqual([without.owed(), without.agent().spawned], [[], true]);
  });

  it("is owed again when it is started again, before what it missed", () => {
    const { start, owed, seen, answer } = coming();
    start(1);
    seen(stopped);
    seen({ type: "submitted", text: task });
    assert.deepEqual(owed(), []);
    seen(exited);
    answer("retry", { message: "Mind the step." });
    start(2);
    assert.equal(owed().length, 2);
    assert.equal(owed()[0], task);
    assert.match(owed()[1] ?? "", /Mind the step\.$/);
  });

  it("is owed once if it died before it was told", () => {
    const { start, owed, seen, answer } = coming();
    start(1);
    seen(exited);
    answer("retry");
    start(2);
    assert.deepEqual(
      owed().filter((it) => it === task),
      [task],
    );
    assert.equal(owed()[0], task);
  });
});
