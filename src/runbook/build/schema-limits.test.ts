import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agent, asks, assertProblems, compileText, runbookOf } from "../../../test/fakes/marked-runbook.ts";
import { TRIGGER_ACTIONS } from "./agent-objects.ts";

describe("triggers", () => {
  it.each(Object.entries(TRIGGER_ACTIONS))("%s has exactly its actions", (on, actions) => {
    for (const action of ["nudge", "done", "fail", "resume", "gate", "escalate"]) {
      const { problems } = compileText(
        agent(`${on} = { action = "${action}"${action === "gate" ? ', run = "x"' : ""} }`),
      );
      assert.equal(
        problems.length === 0,
        actions.some((it) => it === action),
        `${on} ${action}`,
      );
    }
  });

  it("say what they can do", () => {
    assertProblems(
      agent('on_idle = «"resume"»'),
      'on_idle has no action "resume"; its actions are nudge, done, fail, escalate or gate',
    );
    assertProblems(agent('on_dead = { action = «"resme"» }'), [
      'on_dead has no action "resme"; its actions are resume, done, fail, escalate or gate',
      'did you mean "resume"?',
    ]);
  });
});

describe("limits", () => {
  const options = (count: number) =>
    Array.from({ length: count }, (_, index) => `option "o${index}" {}`).join("\n");
  const steps = (count: number) =>
    Array.from({ length: count }, (_, index) => `step "s${index}" { run = "x" }`).join("\n");

  it("are nine options", () => {
    assert.deepEqual(compileText(asks(options(9))).problems, []);
    const { problems } = compileText(asks(options(10)));
    assert.deepEqual(
      problems.map((it) => [it.line, it.message]),
      [[11, "a decision can have up to 9 options; this one has 10"]],
    );
  });

  it("are two hundred steps", () => {
    assert.deepEqual(compileText(`job "j" { ${steps(200)} }`).problems, []);
    const { problems } = compileText(`job "j" { ${steps(201)} }`);
    assert.deepEqual(
      problems.map((it) => it.message),
      ["a job can have up to 200 steps; this one has 201"],
    );
  });
});

it("a map or notify may also be written as a block", () => {
  const { jobs } = runbookOf(`job "j" {
    vars = ["x"]
    defaults { x = 1 }
    locals { y = "\${var.x}" }
    notify = { on_done = "done" }
    workspace = { git = true }
    step "a" { run = "x"  env { A = "b" } }
  }`);
  const { defaults, locals, notify, workspace } = jobs[0]!;
  assert.deepEqual(
    { defaults, locals, notify, workspace },
    {
      defaults: { x: "1" },
      locals: { y: "${var.x}" },
      notify: { on_done: "done" },
      workspace: { type: "git" },
    },
  );
});

it("names that mean something to JavaScript are kept", () => {
  const { jobs } = runbookOf(`job "constructor" {
    vars = ["__proto__", "toString"]
    defaults = { __proto__ = "x", toString = "y" }
    step "hasOwnProperty" { run = "x" }
  }`);
  assert.deepEqual(Object.entries(jobs[0]!.defaults), [
    ["__proto__", "x"],
    ["toString", "y"],
  ]);
  assertProblems(
    'job "j" { «constructor» = 1\n «valueOf» {}\n step "a" { run = "x" } }',
    'job "j" has no attribute "constructor"',
    'job "j" has no block "valueOf"',
  );
});

it("mistakes in a block that could not be read to its end are reported, but not what seems missing", () => {
  assertProblems(
    'agent "a" {\n  run = «claude»\n  «promt» = "x"\n}\njob "j" {\n  «?»?\n}',
    "claude is not a value",
    'agent "a" has no attribute "promt"',
    'expected an attribute or a block, not "?"',
  );
});
