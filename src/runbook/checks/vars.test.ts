import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Expected } from "../../../test/fakes/marked-runbook.ts";
import { assertProblems, compileText } from "../../../test/fakes/marked-runbook.ts";

const child =
  'job "j" {\n vars = ["name", "base"]\n defaults { base = "main" }\n step "a" { run = "x" }\n}\n';
const parent = (vars: string, run: string) =>
  `${child}job "p" {\n vars = ${vars}\n step "a" { run = ${run} }\n}`;

describe("a job gets the vars it needs", () => {
  it.each<[from: string, text: string]>([
    ["arguments", `${child}command "c" {\n args = "[name]"\n run = { job = "j" }\n}`],
    ["the vars of the job that runs it", parent('["name"]', '{ job = "j" }')],
    ["the step that runs it", parent("[]", '{ job = "j", vars = { name = "x" } }')],
  ])("from %s", (_, text) => assertProblems(text));

  it.each<[from: string, marked: string, ...expected: Expected[]]>([
    [
      "a command without such an argument",
      `${child}command "c" {\n args = "<nme>"\n run = { job = «"j"» }\n}`,
      [
        'job "j" needs "name", which this command doesn\'t give',
        "add it to args, or give it a default in the job",
      ],
    ],
    [
      "a step that doesn't set it",
      parent('["base"]', '{ job = «"j"», vars = { base = "x" } }'),
      [
        'job "j" needs "name", which this step doesn\'t give',
        'write run = { job = "j", vars = { … } }, or give it a default there',
      ],
    ],
    [
      "a step that sets a misspelled one",
      parent("[]", '{ job = "j", vars = { «nam» = "x" } }'),
      ['job "j" has no var "nam"', 'did you mean "name"?'],
    ],
  ])("and not from %s", (_, marked, ...expected) => assertProblems(marked, ...expected));
});

it("env of a step that runs a job is warned of", () => {
  const of = (run: string) =>
    compileText(`${child}job "p" {\n vars = ["name"]\n step "a" {\n run = ${run}\n env { A = "b" }\n }\n}`);
  assert.deepEqual(
    of('{ job = "j" }').warnings.map(({ line, message }) => `${line} ${message}`),
    ['10 env of step "a" has no effect: it runs a job, which gets vars instead'],
  );
  assert.deepEqual(of('"echo $A"').warnings, []);
});
