import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { changedWords, changeWanted } from "./edit-words.ts";

describe("what a person changed", () => {
  const before = { file_path: "/a", content: "old" };
  const content = "line\n".repeat(5000).trim();

  it("is told in full to an agent that has to make the call again, and briefly once it has run", () => {
    assert.ok(changeWanted(before, { ...before, content }).endsWith(content));
    assert.ok(changeWanted({ command: "a" }, { command: content }).endsWith(content));
    const briefly = changedWords(before, { ...before, content });
    assert.ok(briefly.endsWith("…") && briefly.length < 4100);
  });
});
