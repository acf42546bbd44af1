import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { DEEDS } from "./build/deeds.ts";
import { TEST, TEST_AGENT, TEST_ANSWER, TEST_EXPECT, TEST_SHELL } from "./build/trial-schema.ts";
import { readScript, readTrials } from "./trials.ts";

const problemsIn = (body: string) =>
  readTrials("t.hcl", `test "t" {\n${body}\n}`).problems.map((it) => `${it.line}: ${it.message}`);

describe("a test file", () => {
  it("is read as the specification writes it", () => {
    const { trials, problems } = readTrials(
      "t.hcl",
      `test "the gate fails twice, then a person skips it" {
  run   = "fix 'the cart'"
  agent "fixer" { does = ["done", "done", "done"] }
  shell "npm test" { exits = [1, 1, 1] }
  expect { decision = { source = "gate", title = "Gate failed*" } }
  answer { choice = "skip" }
  expect { job = "completed"  within = "10m" }
}`,
    );
    assert.deepEqual(problems, []);
    const done = { type: "done", text: "Done." };
    assert.deepEqual(trials, [
      {
        path: "t.hcl",
        line: 1,
        name: "the gate fails twice, then a person skips it",
        run: "fix 'the cart'",
        agents: { fixer: [done, done, done] },
        shells: [{ part: "npm test", exits: [1, 1, 1], prints: "" }],
        steps: [
          { type: "expect", line: 5, decision: { source: "gate", title: "Gate failed*" } },
          { type: "answer", line: 6, choice: [["skip"]] },
          { type: "expect", line: 7, job: "completed", within: 600_000 },
        ],
      },
    ]);
  });

  for (const [body, problem] of [
    ["", "1: test needs run"],
    ['run = "x"\nexpect {}', "3: expect says nothing"],
    ['run = "x"\nanswer {}', "3: answer says nothing"],
    ['run = "x"\nagent "a" { does = ["dnoe"] }', `3: an agent can't "dnoe"`],
    ['run = "x"\nagent "a" { does = ["asks: Which?"] }', '3: "asks: Which?" is not complete'],
    ['run = "x"\nagent "a" { does = ["dies: soon"] }', '3: "dies: soon" is not complete'],
    [
      'run = "x"\nshell "y" { exits = [256] }',
      "3: each of exits must be an exit code from 0 to 255, not 256",
    ],
    ['run = "x"\nexpect { job = "done" }', `3: job can't be "done"`],
    ['run = "x"\nexpect { decision = { sorce = "gate" } }', '3: decision has no attribute "sorce"'],
    ['run = "x"\nanswer { choice = true }', "3: choice must be an option's key, label or number, not true"],
    ['run = "x"\nexpct { job = "completed" }', '3: test "t" has no block "expct"'],
  ] as const)
    it(`says what is wrong: ${problem}`, () => assert.deepEqual(problemsIn(body), [problem]));

  it("has tests of different names, and nothing else", () => {
    const { problems } = readTrials(
      "t.hcl",
      'test "a" { run = "x" }\ntest "a" { run = "y" }\njob "b" {}\nx = 1\n',
    );
    assert.deepEqual(
      problems.map((it) => it.message),
      [
        'test "a" exists already, on line 1',
        'a test file contains only test blocks, not "job"',
        'a test file contains only test blocks, not "x"',
      ],
    );
  });
});

it("a script is the body of a test, with or without run", () => {
  const { script, problems } = readScript("s.hcl", 'agent "a" { does = ["hangs"] }\nanswer { choice = 2 }\n');
  assert.deepEqual([problems, script?.agents, script?.run], [[], { a: [{ type: "hangs" }] }, null]);
});

it("the page about tests has every block, attribute and deed", () => {
  const page = fs.readFileSync(path.join(import.meta.dirname, "../../docs/runbook-tests.md"), "utf8");
  for (const { kind, attributes } of [TEST, TEST_AGENT, TEST_ANSWER, TEST_EXPECT, TEST_SHELL]) {
    assert.match(page, new RegExp(`^\\| \`${kind}[ \`]`, "m"));
    for (const name of Object.keys(attributes))
      assert.match(page, new RegExp(`^\\|.*\\|.*\`${name}\`.*\\|`, "m"));
  }
  for (const verb of Object.keys(DEEDS)) assert.match(page, new RegExp(`^\\| \`${verb}[:\`]`, "m"));
});
