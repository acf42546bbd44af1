import { describe, it } from "vitest";
import type { Expected } from "../../test/fakes/marked-runbook.ts";
import { assertProblems } from "../../test/fakes/marked-runbook.ts";

const job = (inside: string) => `job "j" {\n  ${inside}\n}`;
const asks = (name: string, options: string, more = "") =>
  `step "${name}" {\n ${more}\n decision {\n prompt = "?"\n ${options}\n } }\n`;

describe("where a job goes", () => {
  it.each<[what: string, text: string]>([
    ["back after a failure", 'step "a" { run = "x" }\n step "b" { run = "x"  on_fail = "a" }'],
    [
      "aside and back",
      'step "a" { run = "x"  on_fail = "fix" }\n step "b" { run = "x" }\n step "fix" { run = "x"  on_done = "a" }',
    ],
    ["around itself until it works", 'step "a" { run = "x"  on_fail = { step = "a", attempts = 3 } }'],
    ["around a bounded number of times", 'step "a" { run = "x"  on_done = { step = "a", attempts = 3 } }'],
    [
      "over a step that an option leads to",
      `${asks("a", 'option "x" { step = "c" }\n option "y" {}')} step "b" { run = "x" }\n step "c" { run = "x" }`,
    ],
    [
      "back by a choice",
      `step "a" { run = "x" }\n ${asks("b", 'option "go" {}\n option "back" { step = "a" }')}`,
    ],
    [
      "round until someone cancels",
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
  ])("may be %s", (_, text) => assertProblems(job(text)));

  it("may be by the options of a template", () => {
    const template = 'decision_template "t" {\n option "x" {}\n option "y" { step = "c" }\n}\n';
    const steps = 'step "b" { run = "x"  on_done = "d" }\n step "c" { run = "x" }\n step "d" { run = "x" }';
    assertProblems(template + job(`step "a" { decision { template = "t" } }\n ${steps}`));
  });

  it.each<[what: string, text: string, ...expected: Expected[]]>([
    [
      "past a step for good",
      'step "a" { run = "x"  on_done = "c" }\n «step "b"» { run = "x" }\n step "c" { run = "x" }',
      ['step "b" is never reached', 'step "a" goes to "c", and nothing leads here'],
    ],
    [
      "by choices that leave a step out",
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
      "round",
      'step "a" { run = "x"  on_done = "b" }\n step "b" { run = "x"  on_done = { step = «"a"» } }',
      "steps a → b → a go round in a loop that never ends",
    ],
    [
      "into a round",
      'step "z" { run = "x" }\n step "a" { run = "x" }\n step "b" { run = "x"  on_done = «"a"» }',
      "steps a → b → a go round in a loop that never ends",
    ],
    [
      "round by every choice",
      `step "a" { run = "x" }\n «${asks("b", 'option "x" { step = "a" }\n option "y" { step = "b" }').replace('step "b"', 'step "b"»')}`,
      ["steps a → b → a go round in a loop that never ends", "let an option lead elsewhere"],
    ],
    [
      "nowhere by any choice",
      `«${asks("a", 'option "x" { action = "dismiss" }').replace('step "a"', 'step "a"»')}`,
      'no option of step "a" lets the job continue or end',
    ],
  ])("may not be %s", (_, text, ...expected) => assertProblems(job(text), ...expected));

  it("needs a step to begin with", () => {
    assertProblems(
      '«job "j"» {\n  on_fail = "a"\n  step "a" { run = "x" }\n}',
      'job "j" has no step to start with',
    );
  });

  it("is not guessed at when a way could not be read", () => {
    assertProblems(
      job('step "a" { run = "x"  on_done = «5» }\n step "b" { run = "x"  on_done = "b" }'),
      "on_done must be a step's name or { step = …, attempts = … }, not a number",
    );
  });
});

describe("a job that runs itself", () => {
  const runs = (name: string, target: string) =>
    `job "${name}" {\n  step "s" { run = { job = ${target} } }\n}\n`;

  it("is told", () => {
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

  it("is not one that runs another twice", () => {
    assertProblems(
      `job "a" {\n step "s" { run = { job = "b" } }\n step "t" { run = { job = "b" } }\n}\njob "b" { step "s" { run = "x" } }`,
    );
  });
});
