import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

describe("parseDuration", () => {
  it.each([
    ["500ms", 500],
    ["30s", 30_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["2d", 172_800_000],
    ["1.5s", 1500],
    ["1m30s250ms", 90_250],
    ["0s", 0],
  ])("reads %s", (text, ms) => assert.equal(parseDuration(text), ms));

  it.each(["", "30", "s", "30 s", "5min", "-5s", "30s5m", "1h1h", "1e3s", "٣s", `${"9".repeat(400)}d`])(
    "refuses %j",
    (text) => assert.equal(parseDuration(text), null),
  );
});

describe("formatDuration", () => {
  it.each([
    [0, "0s"],
    [90_000, "1m30s"],
    [5_400_000, "1h30m"],
    [172_800_000, "2d"],
    [-5, "0s"],
  ])("writes %d as %s", (ms, text) => assert.equal(formatDuration(ms), text));

  it("writes what parseDuration reads back", () => {
    fc.assert(fc.property(fc.nat({ max: 2 ** 50 }), (ms) => parseDuration(formatDuration(ms)) === ms));
  });
});
