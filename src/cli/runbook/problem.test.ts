import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Problem } from "../../core/model/runbook.ts";
import { plain } from "../base/output.ts";
import { renderProblem } from "./problem.ts";

const problem: Problem = {
  path: ".oj/runbooks/feature.hcl",
  line: 14,
  column: 27,
  length: 11,
  message: 'template "checkpont" does not exist',
  hint: 'did you mean "checkpoint"?',
  excerpt: '    decision { template = "checkpont" }',
};
const render = (changes: Partial<Problem>, width = 80) =>
  renderProblem({ ...problem, ...changes }, plain, width);

describe("a problem in a runbook", () => {
  it("shows its place, its line, a caret below the cause, and what to do", () => {
    assert.equal(
      render({}),
      [
        '✗ .oj/runbooks/feature.hcl:14:27  template "checkpont" does not exist',
        '  14 |     decision { template = "checkpont" }',
        "                                 ^^^^^^^^^^^",
        '  → did you mean "checkpoint"?',
      ].join("\n"),
    );
  });

  it("puts the caret in the right place after tabs and wide letters", () => {
    const [, line = "", caret = ""] = render({ excerpt: "\t漢 = x", column: 6, length: 1 }).split("\n");
    assert.equal(line, "  14 |   漢 = x");
    assert.equal(caret.length - 1, "  14 |   ..= ".length + 1);
  });

  it("shows the part of a long line around the place", () => {
    const excerpt = `${"a".repeat(400)}HERE${"b".repeat(400)}`;
    const [, line = "", caret = ""] = render({ excerpt, column: 401, length: 4 }, 60).split("\n");
    assert.ok(line.length <= 60, line);
    assert.equal(line.indexOf("HERE"), caret.indexOf("^^^^"));
  });

  it("is shown with hostile text made safe", () => {
    const text = render({ excerpt: "\u001b[2Jx", column: 5, length: 1, message: "bad \u001b]0;x\u0007" });
    assert.ok(!/\p{Cc}/u.test(text.replaceAll("\n", "")), JSON.stringify(text));
  });

  it("shows no line if there is none", () => {
    assert.equal(render({ excerpt: "", hint: undefined as never }).split("\n").length, 1);
  });
});
