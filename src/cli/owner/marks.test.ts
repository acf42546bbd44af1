import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { roughDuration } from "./marks.ts";

describe("a duration", () => {
  it("is in milliseconds below a tenth of a second", () => assert.equal(roughDuration(40), "40ms"));
  it("is in tenths of a second while it is short", () => assert.equal(roughDuration(340), "0.3s"));
  it("is in whole seconds from ten on", () => assert.equal(roughDuration(9_960), "10s"));
  it("is in minutes and seconds after that", () => assert.equal(roughDuration(185_400), "3m5s"));
  it("is in hours and minutes when it is long", () => assert.equal(roughDuration(7_830_000), "2h11m"));
  it("is never negative, whatever the clock did", () => assert.equal(roughDuration(-5), "0ms"));
});
