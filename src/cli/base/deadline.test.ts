import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { deadlineAfter, deadlineOf, isOver, timeLeft } from "./deadline.ts";

describe("a deadline", () => {
  it("never comes if no timeout was given", () => {
    assert.equal(deadlineOf(undefined), null);
    assert.equal(isOver(null, Number.MAX_SAFE_INTEGER), false);
  });

  it("is over when its time has passed", () => {
    assert.equal(isOver(deadlineOf("1h")), false);
    assert.equal(isOver(deadlineOf("1h"), 3_600_000), true);
    assert.equal(isOver(deadlineAfter(0)), true);
  });

  it("does not move when somebody sets the clock", () => {
    const { now } = Date;
    try {
      const deadline = deadlineOf("1h");
      Date.now = () => now() + 86_400_000;
      assert.equal(isOver(deadline), false);
    } finally {
      Date.now = now;
    }
  });

  it("refuses an invalid duration, and says how to write one", () => {
    assert.throws(() => deadlineOf("5 minutes"), { code: "usage", hint: "write it as 30s, 5m or 1h30m" });
  });

  it("never asks for a longer timer than the system has", () => {
    const deadline = deadlineOf("60d");
    assert.ok(deadline);
    assert.equal(timeLeft(deadline), 2 ** 31 - 1);
  });
});
