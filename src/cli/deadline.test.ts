import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { deadlineOf, isOver, timeLeft } from "./deadline.ts";

describe("a deadline", () => {
  it("is for ever when no timeout was given", () => {
    assert.equal(deadlineOf(undefined, 0), null);
    assert.equal(isOver(null, Number.MAX_SAFE_INTEGER), false);
  });

  it("is over when its moment has come", () => {
    const deadline = deadlineOf("2s", 1000);
    assert.equal(isOver(deadline, 2999), false);
    assert.equal(isOver(deadline, 3000), true);
  });

  it("refuses what is no length of time, and says how to write one", () => {
    assert.throws(() => deadlineOf("5 minutes", 0), { code: "usage", hint: "write it as 30s, 5m or 1h30m" });
  });

  it("never asks for a longer timer than there is", () => {
    const deadline = deadlineOf("60d", 0);
    assert.ok(deadline);
    assert.equal(timeLeft(deadline, 0), 2 ** 31 - 1);
  });
});
