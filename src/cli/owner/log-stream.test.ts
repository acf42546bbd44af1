import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { lastLines } from "./log-stream.ts";

describe("the last lines of an output", () => {
  it("are as many as asked for", () => assert.equal(lastLines("a\nb\nc\n", 2), "b\nc\n"));
  it("include an unfinished one", () => assert.equal(lastLines("a\nb\nc", 2), "b\nc"));
  it("are all of them if there are fewer", () => assert.equal(lastLines("a\n\n", 5), "a\n\n"));
  it("may be none", () => assert.equal(lastLines("a\n", 0), ""));
  it("include empty ones", () => assert.equal(lastLines("\n\n\n", 2), "\n\n"));
});
