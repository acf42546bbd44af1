import { describe, it } from "vitest";
import type { Expected } from "../../../test/fakes/marked-runbook.ts";
import { assertProblems } from "../../../test/fakes/marked-runbook.ts";

const steps = (inside: string) => `job "j" {\n  ${inside}\n}`;

describe("an unknown name is reported, with what was probably meant", () => {
  it.each<[what: string, marked: string, ...expected: Expected[]]>([
    [
      "a command's job",
      'command "c" { run = { job = «"bild"» } }\njob "build" { step "a" { run = "x" } }',
      ['job "bild" does not exist', 'did you mean "build"?'],
    ],
    [
      "a command's agent",
      'command "c" { run = { agent = «"x"» } }',
      ['agent "x" does not exist', "there are none"],
    ],
    [
      "a command's default",
      'command "c" {\n args = "<name>"\n defaults = { «nam» = "x" }\n run = "x" }',
      ['there is no argument "nam"', 'did you mean "name"?'],
    ],
    [
      "a job's default",
      steps('vars = ["base"]\n defaults = { «bse» = "x" }\n step "a" { run = "x" }'),
      ['there is no var "bse"', 'did you mean "base"?'],
    ],
    [
      "a job's default, as a block",
      steps('vars = ["base"]\n defaults { «bse» = "x" }\n step "a" { run = "x" }'),
      ['there is no var "bse"', 'did you mean "base"?'],
    ],
    [
      "a job's way",
      steps('on_fail = { step = «"tdy"» }\n step "tidy" { run = "x" }'),
      ['step "tdy" does not exist', 'did you mean "tidy"?'],
    ],
    [
      "a step's way",
      steps('step "a" { run = "x"  on_done = «"c"» }\n step "b" { run = "x" }'),
      ['step "c" does not exist', "known: a, b"],
    ],
    [
      "a step's agent",
      `agent "builder" { run = "x" }\n${steps('step "a" { run = { agent = «"bulder"» } }')}`,
      ['agent "bulder" does not exist', 'did you mean "builder"?'],
    ],
    ["a step's job", steps('step "a" { run = { job = «"k"» } }'), ['job "k" does not exist', "known: j"]],
    [
      "a var of a step's job",
      `job "k" {\n vars = ["size"]\n step "a" { run = "x" } }\n${steps('step "a" { run = { job = "k", vars = { «sice» = 1 } } }')}`,
      ['job "k" has no var "sice"', 'did you mean "size"?'],
    ],
    [
      "what a step depends on",
      steps('step "a" { run = "x"  depends_on = [«"b"»] }'),
      'step "b" does not exist',
    ],
    [
      "an option's step",
      steps(
        'step "a" { decision {\n prompt = "?"\n option "x" { step = «"bb"» }\n } }\n step "b" { run = "x" }',
      ),
      'step "bb" does not exist',
    ],
    [
      "a template",
      `decision_template "checkpoint" { option "x" {} }\n${steps('step "a" { decision { template = «"checkpont"» } }')}`,
      ['template "checkpont" does not exist', 'did you mean "checkpoint"?'],
    ],
    [
      "a step that a template's option goes to",
      `decision_template "t" { option "x" { step = "b" } }\n${steps('step "a" { decision { template = «"t"» } }')}`,
      'option "x" of template "t" goes to step "b", which this job doesn\'t have',
    ],
  ])("%s", (_, marked, ...expected) => assertProblems(marked, ...expected));

  it("and a step may not depend on itself", () => {
    assertProblems(steps('step "a" { run = "x"  depends_on = [«"a"»] }'), 'step "a" depends on itself');
  });

  it("and a template without options needs some in the step", () => {
    const template = 'decision_template "t" { prompt_hint = "x" }\n';
    assertProblems(
      template + steps('step "a" { decision { template = «"t"» } }'),
      'template "t" has no options, so this decision needs its own',
    );
    assertProblems(template + steps('step "a" { decision { template = "t"  option "x" {} } }'));
  });

  it("but not again if its declaration is what is wrong", () => {
    assertProblems(
      'command "c" { run = { job = "j" } }\njob "j" {\n  step "a" { run = «5» }\n}',
      'run must be a shell script, { agent = "…" } or { job = "…" }, not a number',
    );
    assertProblems(
      'command "c" { run = { agent = "a" } }\n«agnet "a"» { run = "x" }',
      '"agnet" is not a top-level block',
    );
    assertProblems(
      'job "j" {\n  on_fail = "tidy"\n  step "a" { run = "x" }\n  step tidy«»\n}',
      "expected { after step, not the end of the line",
    );
  });
});
