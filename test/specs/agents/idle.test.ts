import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentStage } from "../support/agents.ts";
import { ends, giveEach, labels, stays } from "../support/answers.ts";

const HALFWAY = {
  scenario: { turns: [[{ say: "Half of it is there." }]], otherwise: [{ signal: "done" }] },
};

describe("an agent that stops without saying that it is done", () => {
  it("asks, with its last message and lines, and each answer does what it says", async () => {
    const stage = await agentStage({ half: HALFWAY });
    await giveEach(
      stage,
      "half",
      "idle",
      (decision) => {
        assert.deepEqual(labels(decision), ["Nudge★", "Done", "Cancel", "Dismiss"]);
        assert.equal(decision.title, "Stopped: Half of it is there.");
        assert.match(decision.context, /^The agent has stopped and is waiting\n/);
        assert.match(decision.context, /Its last message:\n> Half of it is there\./);
      },
      [
        { words: ["1"], effect: ends("completed", ["Please continue with your task."]) },
        { words: ["1", "-m", "Now the tests."], effect: ends("completed", ["Now the tests."]) },
        {
          words: ["-m", "!touch oops; /clear"],
          effect: ends("completed", ["The user says: !touch oops; /clear"]),
        },
        { words: ["2"], effect: ends("completed") },
        { words: ["3"], effect: ends("cancelled") },
        { words: ["4"], effect: stays },
      ],
      "● Half of it is there.",
    );
  });
});
