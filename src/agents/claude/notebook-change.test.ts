import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { diffOf } from "../../core/text/file-diff.ts";
import { fileChangeOf } from "./file-change.ts";

const NOTEBOOK = JSON.stringify({
  cells: [
    { cell_type: "code", id: "a1", source: ["import pandas\n", "pandas.read_csv('sales.csv')"] },
    { cell_type: "markdown", source: "# Sales" },
  ],
});

function diff(input: object, text: string | null = NOTEBOOK) {
  const change = fileChangeOf({
    tool: "NotebookEdit",
    input: { notebook_path: "/shop/sales.ipynb", new_source: "# Sold", ...input },
  });
  return change && diffOf(change, { text });
}

describe("what Claude Code's NotebookEdit would do", () => {
  it.each([
    ["a cell by its id", { cell_id: "a1", new_source: "import pandas\nshow()" }],
    ["a cell by its place", { cell_id: "cell-0", new_source: "import pandas\nshow()", edit_mode: "replace" }],
  ])("changes %s", (_, input) => {
    assert.equal(
      diff(input)?.text,
      "@@ -1,2 +1,2 @@\n import pandas\n-pandas.read_csv('sales.csv')\n+show()",
    );
  });

  it("adds a cell after another one, or at the beginning", () => {
    for (const input of [{ cell_id: "cell-1" }, {}, { cell_id: "a1", cell_type: "markdown" }])
      assert.equal(diff({ ...input, edit_mode: "insert" })?.text, "@@ -0,0 +1,1 @@\n+# Sold");
  });

  it("deletes a cell, whatever text comes with it", () => {
    assert.equal(diff({ cell_id: "cell-1", edit_mode: "delete" })?.text, "@@ -1,1 +0,0 @@\n-# Sales");
  });

  it("says why a call does not fit the notebook", () => {
    for (const [input, text, unread] of [
      [{ cell_id: "b2" }, NOTEBOOK, "the notebook has no such cell"],
      [{ cell_id: "cell-2" }, NOTEBOOK, "the notebook has no such cell"],
      [{}, NOTEBOOK, "the notebook has no such cell"],
      [{ cell_id: "cell-0" }, '{"cells":[{"source":[1]}]}', "the notebook has no such cell"],
      [{ cell_id: "a1" }, '{"cells":[null]}', "the file is not a notebook"],
      [{ cell_id: "a1" }, "null", "the file is not a notebook"],
      [{ cell_id: "a1" }, "# Sales", "the file is not a notebook"],
      [{ cell_id: "a1" }, null, "the file does not exist"],
    ] as const)
      assert.equal(diff(input, text)?.unread, unread);
  });

  it("shows a call that makes no sense as it is", () => {
    for (const input of [
      { notebook_path: 1 },
      { notebook_path: "" },
      { new_source: [] },
      { cell_id: 7 },
      { edit_mode: "burn" },
    ])
      assert.equal(diff(input), null);
  });
});
