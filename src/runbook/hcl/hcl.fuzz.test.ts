import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { parseTree, printLoose, printStrict, trees } from "../../../test/fakes/hcl-trees.ts";
import type { Problem } from "../../core/model/runbook.ts";
import { compile, parseFile } from "../compile.ts";

const GOOD = `
command "feature" {
  args = "<name> [--base <branch>]" # with a comment
  run  = { job = "feature" }
}
job "feature" {
  vars = ["name", "base"]
  workspace { git = true  branch = "feat/\${var.name}" }
  step "ask" { decision { prompt = "é 日本 😀?"  option "go" { recommended = true } option "no" { action = "cancel" } } }
  step "build" {
    run = <<-EOF
      echo "\${decision.ask.choice}" \${HOME:-/}.
        indented \\
    EOF
    on_fail = { step = "ask", attempts = 2 }
  }
}
agent "a" { run = "claude"  prime = { startup = file("a.md") }  on_error = [{ match = "other", action = "resume" }] }
decision_template "t" { required_context = { a = { min = 2 } }  option "x" {} }
`;

/** Pieces that mean something in HCL or often go wrong. */
const pieces = [
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "=",
  ",",
  '"',
  "\\",
  "${",
  "%{",
  "$${",
  "<<E\n",
  "<<-E\n",
  "E\n",
  "\n",
  "\r\n",
  "#",
  "/*",
  "*/",
  "job",
  "step",
  '"a"',
  "1",
  "-",
  ".",
  "true",
  "null",
  "file(",
  'run = "x"',
  "\0",
  "\uFEFF",
  "\uD800",
  "😀",
  "é",
];
const soup = fc.array(fc.constantFrom(...pieces, " ", "x"), { maxLength: 60 }).map((it) => it.join(""));

const mutated = fc
  .array(fc.tuple(fc.nat(GOOD.length), fc.nat(20), fc.oneof(fc.constantFrom("", ...pieces), fc.string())), {
    minLength: 1,
    maxLength: 5,
  })
  .map((cuts) =>
    cuts.reduce((text, [at, length, insert]) => text.slice(0, at) + insert + text.slice(at + length), GOOD),
  );

function problemsIn(text: string): Problem[] {
  return compile([parseFile("x.hcl", text)], () => ({ text: "x" })).problems;
}

/** Asserts that each problem is at a character of the file, or right after the last one of a line. */
function assertPlaced(text: string, problems: Problem[]): void {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((it) => [...it.replace(/\r$/, "")].length);
  for (const { line, column, length, message } of problems) {
    const width = lines[line - 1];
    assert.ok(width !== undefined && column >= 1 && column <= width + 1, `${message} at ${line}:${column}`);
    assert.ok(
      length >= 1 && column + length <= Math.max(width, column) + 1,
      `${message} at ${line}:${column}+${length}`,
    );
    assert.ok(message.length > 0);
  }
}

describe("any input", () => {
  it("results in problems that have a place", () => {
    const anything = fc.oneof(
      soup,
      mutated,
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ maxLength: 200 }),
    );
    fc.assert(
      fc.property(anything, (text) => assertPlaced(text, problemsIn(text))),
      { numRuns: 1000 },
    );
  });

  it("is reported if a brace is missing", () => {
    assert.deepEqual(problemsIn(GOOD), []);
    for (const { index } of GOOD.matchAll(/(?<!\$)\{|\}(?=[\n ])/g)) {
      assert.notDeepEqual(
        problemsIn(GOOD.slice(0, index) + GOOD.slice(index + 1)),
        [],
        `without the brace at ${index}`,
      );
    }
  });
});

describe("a generated tree", () => {
  it("comes back from print and parse", () => {
    fc.assert(
      fc.property(trees, (tree) => assert.deepEqual(parseTree(printStrict(tree)), { tree, findings: [] })),
      { numRuns: 300 },
    );
  });

  it("comes back if all of it stands on one line", () => {
    fc.assert(
      fc.property(trees, (tree) => assert.deepEqual(parseTree(printLoose(tree)), { tree, findings: [] })),
      { numRuns: 300 },
    );
  });
});
