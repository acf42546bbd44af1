import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { roughDuration } from "./marks.ts";

describe("a length of time", () => {
  it("has milliseconds below a tenth of a second", () => assert.equal(roughDuration(40), "40ms"));
  it("has tenths of seconds while it is short", () => assert.equal(roughDuration(340), "0.3s"));
  it("has whole seconds from ten on", () => assert.equal(roughDuration(9_960), "10s"));
  it("has minutes and seconds", () => assert.equal(roughDuration(185_400), "3m5s"));
  it("has hours and minutes", () => assert.equal(roughDuration(7_830_000), "2h11m"));
  it("is never negative, whatever the clock did", () => assert.equal(roughDuration(-5), "0ms"));
});
