import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { olderThanTested, TESTED_VERSION } from "./version.ts";

describe("the version of Claude Code", () => {
  it("is mentioned if it is older than what is tested", () => {
    for (const old of ["1.0.9", "2.0.999 (Claude Code)", "2.1.99", "2.1"])
      assert.match(olderThanTested(old) ?? "", /^Claude Code [\d.]+ is older than 2\.1\.325,/);
  });

  it("is not mentioned if it is the same, newer, or unreadable", () => {
    for (const it of [
      TESTED_VERSION,
      `${TESTED_VERSION} (Claude Code)`,
      "2.1.400",
      "2.2.0",
      "10.0.1",
      "?",
      "",
      null,
    ])
      assert.equal(olderThanTested(it), null);
  });
});
