import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { formatProblem } from "./problem.ts";
import type { Problem } from "./runbook.ts";

const problem: Problem = {
  path: ".oj/runbooks/feature.hcl",
  line: 14,
  column: 27,
  length: 11,
  message: 'template "checkpont" does not exist',
  hint: 'did you mean "checkpoint"?',
  excerpt: '    decision { template = "checkpont" }',
};

describe("formatProblem", () => {
  it("shows place, message, line, caret and hint", () => {
    assert.equal(
      formatProblem(problem),
      [
        '✗ .oj/runbooks/feature.hcl:14:27  template "checkpont" does not exist',
        '  14 |     decision { template = "checkpont" }',
        "                                 ^^^^^^^^^^^",
        '  → did you mean "checkpoint"?',
      ].join("\n"),
    );
  });

  it("leaves out a hint or an excerpt that isn't there", () => {
    const { hint: _, ...bare } = problem;
    assert.equal(
      formatProblem({ ...bare, excerpt: "", message: "no such file" }),
      "✗ .oj/runbooks/feature.hcl:14:27  no such file",
    );
  });

  it("puts the caret under the place in a line with tabs", () => {
    const [, line, caret] = formatProblem({
      ...problem,
      excerpt: '\tx = "é" y',
      column: 10,
      length: 1,
    }).split("\n");
    assert.equal(line, '  14 | \tx = "é" y');
    assert.equal(caret, "       \t        ^");
  });

  it("points past the end of a line", () => {
    assert.match(formatProblem({ ...problem, excerpt: "a =", column: 4, length: 1 }), /14 \| a =\n {10}\^\n/);
  });
});
