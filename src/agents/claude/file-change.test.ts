import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fileChangeOf } from "./file-change.ts";

const edit = (older: string, newer: string, more: object = {}) => ({
  old_string: older,
  new_string: newer,
  ...more,
});

describe("what Claude Code's tools would do to a file", () => {
  const result = (tool: string, input: object, before: string | null) =>
    fileChangeOf({ tool, input: { file_path: "/shop/a.ts", ...input } })?.after(before);

  it("replaces one text by another, exactly", () => {
    assert.deepEqual(result("Edit", edit("b", "$& x"), "a b c"), { text: "a $& x c" });
    assert.deepEqual(result("Edit", edit("b", "", { replace_all: true }), "bab"), { text: "a" });
  });

  it("makes a file from an edit of nothing", () => {
    assert.deepEqual(result("Edit", edit("", "new"), null), { text: "new" });
    assert.deepEqual(result("Edit", edit("", "new"), "\n"), { text: "new" });
    assert.deepEqual(result("Edit", edit("", "new"), "old"), { misfit: "the file already has text" });
  });

  it("says why an edit does not fit", () => {
    assert.deepEqual(result("Edit", edit("b", "x"), "a"), {
      misfit: "the text to replace is not in the file",
    });
    assert.deepEqual(result("Edit", edit("b", "x"), "bb"), {
      misfit: "the text to replace is in the file more than once",
    });
    assert.deepEqual(result("Edit", edit("b", "x"), null), { misfit: "the file does not exist" });
    const flood = edit("b", "x".repeat(100_000), { replace_all: true });
    assert.deepEqual(result("Edit", flood, "b".repeat(100_000)), { misfit: "the file would be too large" });
  });

  it("makes several edits one after the other", () => {
    const edits = [edit("a", "b"), edit("b", "c")];
    assert.deepEqual(result("MultiEdit", { edits }, "a"), { text: "c" });
    assert.deepEqual(fileChangeOf({ tool: "MultiEdit", input: { file_path: "a", edits } })?.parts, [
      { before: "a", after: "b" },
      { before: "b", after: "c" },
    ]);
  });

  it("writes the whole file", () =>
    assert.deepEqual(result("Write", { content: "new" }, "old"), { text: "new" }));

  it("is nothing for other tools and for input that makes no sense", () => {
    for (const [tool, input] of [
      ["Bash", { command: "rm a", file_path: "a" }],
      ["Edit", { old_string: "a", new_string: "b" }],
      ["Edit", { file_path: "a", old_string: 1, new_string: "b" }],
      ["MultiEdit", { file_path: "a", edits: [] }],
      ["MultiEdit", { file_path: "a", edits: [edit("a", "b"), null] }],
      ["Write", { file_path: 7, content: "x" }],
      ["Write", { file_path: "a", content: ["x"] }],
      ["Write", null],
    ] as const)
      assert.equal(fileChangeOf({ tool, input }), null, tool);
  });
});
