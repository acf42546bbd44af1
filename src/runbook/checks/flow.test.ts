import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Expected } from "../../../test/fakes/marked-runbook.ts";
import { assertProblems, compileText } from "../../../test/fakes/marked-runbook.ts";

const job = (inside: string) => `job "j" {\n  ${inside}\n}`;
const asks = (name: string, options: string, more = "") =>
  `step "${name}" {\n ${more}\n decision {\n prompt = "?"\n ${options}\n } }\n`;

describe("the flow of a job", () => {
  it.each<[what: string, text: string]>([
    ["back after a failure", 'step "a" { run = "x" }\n step "b" { run = "x"  on_fail = "a" }'],
    [
      "off the path and back",
      'step "a" { run = "x"  on_fail = "fix" }\n step "b" { run = "x" }\n step "fix" { run = "x"  on_done = "a" }',
    ],
    [
      "back to the same step until it works",
      'step "a" { run = "x"  on_fail = { step = "a", attempts = 3 } }',
    ],
    [
      "back to the same step a limited number of times",
      'step "a" { run = "x"  on_done = { step = "a", attempts = 3 } }',
    ],
    [
      "past a step that an option leads to",
      `${asks("a", 'option "x" { step = "c" }\n option "y" {}')} step "b" { run = "x" }\n step "c" { run = "x" }`,
    ],
    [
      "back if somebody chooses so",
      `step "a" { run = "x" }\n ${asks("b", 'option "go" {}\n option "back" { step = "a" }')}`,
    ],
    [
      "in circles until someone cancels",
      asks("a", 'option "again" { step = "a" }\n option "stop" { action = "cancel" }'),
    ],
    [
      "past a step that was skipped",
      'step "a" { run = "x" }\n step "b" { run = "x"  depends_on = ["a"]  on_done = "d" }\n step "c" { run = "x" }\n step "d" { run = "x" }',
    ],
    [
      "to its own last steps",
      'on_done = "x"\n on_fail = "y"\n on_cancel = "z"\n step "a" { run = "x" }\n step "x" { run = "x" }\n step "y" { run = "x" }\n step "z" { run = "x" }',
    ],
    [
      "to its own last step, and on from there a limited number of times",
      'on_done = { step = "x", attempts = 1 }\n step "a" { run = "x" }\n step "x" { run = "x"  on_done = "b" }\n step "b" { run = "x" }',
    ],
    [
      "to a last step that is also one of the others",
      `on_done = "x"\n ${asks("a", 'option "x" { step = "x" }\n option "y" {}')} step "b" { run = "x" }\n step "x" { run = "x" }\n step "c" { run = "x" }`,
    ],
  ])("may go %s", (_, text) => assertProblems(job(text)));

  it("may go through the options of a template", () => {
    const template = 'decision_template "t" {\n option "x" {}\n option "y" { step = "c" }\n}\n';
    const steps = 'step "b" { run = "x"  on_done = "d" }\n step "c" { run = "x" }\n step "d" { run = "x" }';
    assertProblems(template + job(`step "a" { decision { template = "t" } }\n ${steps}`));
  });

  it.each<[what: string, text: string, ...expected: Expected[]]>([
    [
      "past a step that nothing else leads to",
      'step "a" { run = "x"  on_done = "c" }\n «step "b"» { run = "x" }\n step "c" { run = "x" }',
      ['step "b" is never reached', 'step "a" goes to "c", and nothing leads here'],
    ],
    [
      "only where no choice leads to one of the steps",
      `${asks("a", 'option "x" { step = "c" }\n option "y" { action = "fail" }')} «step "b"» { run = "x" }\n step "c" { run = "x" }`,
      ['step "b" is never reached', "nothing leads to it"],
    ],
    [
      "to itself",
      'step "a" { run = "x" }\n step "b" { run = "x"  on_done = «"b"» }',
      [
        'step "b" goes to itself, so the job never ends',
        "let on_done go elsewhere, or limit it with attempts",
      ],
    ],
    [
      "in circles",
      'step "a" { run = "x"  on_done = "b" }\n step "b" { run = "x"  on_done = { step = «"a"» } }',
      "steps a → b → a go round in a loop that never ends",
    ],
    [
      "into a circle",
      'step "z" { run = "x" }\n step "a" { run = "x" }\n step "b" { run = "x"  on_done = «"a"» }',
      "steps a → b → a go round in a loop that never ends",
    ],
    [
      "in circles through the job's own last step",
      'on_done = "x"\n step "a" { run = "x" }\n step "x" { run = "x"  on_done = "b" }\n «step "b"» { run = "x" }',
      "steps x → b → x go round in a loop that never ends",
    ],
    [
      "in circles whatever is chosen",
      `step "a" { run = "x" }\n «${asks("b", 'option "x" { step = "a" }\n option "y" { step = "b" }').replace('step "b"', 'step "b"»')}`,
      ["steps a → b → a go round in a loop that never ends", "let an option lead elsewhere"],
    ],
    [
      "nowhere whatever is chosen",
      `«${asks("a", 'option "x" { action = "dismiss" }').replace('step "a"', 'step "a"»')}`,
      'no option of step "a" lets the job continue or end',
    ],
  ])("may not go %s", (_, text, ...expected) => assertProblems(job(text), ...expected));

  it("needs a step to begin with", () => {
    assertProblems(
      '«job "j"» {\n  on_fail = "a"\n  step "a" { run = "x" }\n}',
      'job "j" has no step to start with',
    );
  });

  it("is not guessed at if part of it could not be read", () => {
    assertProblems(
      job('step "a" { run = "x"  on_done = «5» }\n step "b" { run = "x"  on_done = "b" }'),
      "on_done must be a step's name or { step = …, attempts = … }, not a number",
    );
  });
});

describe("a job that runs itself", () => {
  const runs = (name: string, target: string) =>
    `job "${name}" {\n  step "s" { run = { job = ${target} } }\n}\n`;

  it("is reported", () => {
    assertProblems(runs("a", '«"a"»'), 'job "a" runs itself: a → a');
    assertProblems(
      runs("a", '"b"') + runs("b", '"c"') + runs("c", '«"a"»'),
      'job "a" runs itself: a → b → c → a',
    );
    assertProblems(
      runs("z", '"a"') + runs("a", '"b"') + runs("b", '«"a"»'),
      'job "a" runs itself: a → b → a',
    );
  });

  it("is not confused with one that runs another twice", () => {
    assertProblems(
      `job "a" {\n step "s" { run = { job = "b" } }\n step "t" { run = { job = "b" } }\n}\njob "b" { step "s" { run = "x" } }`,
    );
  });
});

describe("a step that depends on another", () => {
  const warnings = (text: string) => {
    const found = compileText(text);
    assert.deepEqual(found.problems, []);
    return found.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`);
  };

  it("is warned of if that one never comes before it", () => {
    const text = 'step "test" { run = "x"  depends_on = ["build"] }\n step "build" { run = "x" }';
    assert.deepEqual(warnings(job(text)), [
      '2:42 step "test" is always skipped: "build", which it depends on, never comes before it',
    ]);
  });

  it.each([
    ["in file order", 'step "a" { run = "x" }\n step "b" { run = "x"  depends_on = ["a"] }'],
    [
      "when the job goes back",
      `step "a" { run = "x"  depends_on = ["b"] }\n step "b" { run = "x" }\n ${asks("c", 'option "back" { step = "a" }\n option "on" {}')}`,
    ],
    [
      "when it has recovered",
      'step "a" { run = "x"  on_fail = "fix" }\n step "b" { run = "x"  depends_on = ["fix"] }\n step "fix" { run = "x"  on_done = "b" }',
    ],
    [
      "when it fails",
      'on_fail = "tidy"\n step "tidy" { run = "x"  depends_on = ["a"] }\n step "a" { run = "x" }\n step "b" { run = "x" }',
    ],
  ])("may come after it %s", (_, text) => assert.deepEqual(warnings(job(text)), []));
});
