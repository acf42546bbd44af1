import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { exitCodeOf } from "./outcome.ts";

describe("the exit code of jobs that were waited for", () => {
  const of = (...statuses: ("completed" | "failed" | "cancelled")[]) =>
    exitCodeOf(statuses.map((status) => ({ status })));

  it("is 0 if all completed", () => assert.equal(of("completed", "completed"), 0));
  it("is 1 if one failed", () => assert.equal(of("completed", "failed"), 1));
  it("is 4 if one was cancelled", () => assert.equal(of("completed", "cancelled"), 4));
  it("ranks a failure above a cancellation", () => assert.equal(of("cancelled", "failed"), 1));
});
