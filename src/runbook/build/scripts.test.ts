import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { finish, parseFile, prepare } from "../compile.ts";

/** Every place in a runbook that bash reads. */
const PLACES: [where: string, text: (script: string) => string][] = [
  ["a command", (it) => `command "c" { run = ${it} }`],
  ["a step", (it) => `job "j" { step "s" { run = ${it} } }`],
  ["a context", (it) => `job "j" { step "s" { decision { prompt = "?" context = ${it} option "a" {} } } }`],
  ["how an agent starts", (it) => `agent "a" { run = ${it} }`],
  ...["on_idle", "on_dead", "on_prompt", "on_signal", "on_error"].map((name): (typeof PLACES)[number] => [
    `the gate of ${name}`,
    (it) => `agent "a" { run = "x" ${name} = { action = "gate", run = ${it} } }`,
  ]),
  [
    "a gate of one of several errors",
    (it) =>
      `agent "a" { run = "x" on_error = [{ match = "overloaded", action = "gate", run = ${it} }, { action = "fail" }] }`,
  ],
  ["a prime", (it) => `agent "a" { run = "x" prime = ${it} }`],
  ["one of several primes", (it) => `agent "a" { run = "x" prime = ["true", ${it}] }`],
  ["a prime by source", (it) => `agent "a" { run = "x" prime = { signal = ${it} } }`],
  ["primes by source", (it) => `agent "a" { run = "x" prime = { startup = ["true", ${it}] } }`],
];

describe("a script for bash", () => {
  it.each(PLACES)("is found in %s, with its place", (_, text) => {
    const prepared = prepare([parseFile("x.hcl", text('"echo ${env.HOME}; MARKED"'))]);
    const at = prepared.scripts.findIndex((it) => it.script.includes("MARKED"));
    assert.notEqual(at, -1);
    assert.doesNotMatch(prepared.scripts[at]?.script ?? "", /env\.HOME/);
    const said = prepared.scripts.map((__, index) => (index === at ? { line: 1, message: "no" } : null));
    const { problems, runbook } = finish(prepared, said);
    assert.deepEqual(
      problems.map((it) => it.message),
      ["bash can't parse this: no"],
    );
    const [problem] = problems;
    const [line = ""] = [problem?.excerpt];
    assert.match([...line].slice((problem?.column ?? 0) - 1).join(""), /^echo \$\{env\.HOME\}; MARKED"/);
    assert.deepEqual([runbook.commands, runbook.jobs, runbook.agents], [[], [], []]);
  });

  it("is reported on the line that bash names, even in a heredoc", () => {
    const text = `job "j" {\n  step "s" {\n    run = <<-E\n      echo one\n      fi\n      echo two\n    E\n  }\n}`;
    const prepared = prepare([parseFile("x.hcl", text)]);
    const placeOf = (line: number | null) =>
      finish(prepare([parseFile("x.hcl", text)]), [{ line, message: "no" }]).problems.map(
        (it) => `${it.line}:${it.column}+${it.length}`,
      );
    assert.equal(prepared.scripts.length, 1);
    assert.deepEqual(
      [placeOf(1), placeOf(2), placeOf(3), placeOf(9)],
      [["4:7+8"], ["5:7+2"], ["6:7+8"], ["6:7+8"]],
    );
    assert.deepEqual(placeOf(null), ["4:7+8"]);
  });

  it("names the commands that can't be run because of it", () => {
    const prepared = prepare([
      parseFile("a.hcl", 'command "bad" { run = "fi" }\ncommand "beside" { run = "true" }'),
      parseFile("b.hcl", 'command "good" { run = "true" }'),
    ]);
    const { broken, runbook } = finish(prepared, [{ line: 1, message: "no" }, null, null]);
    assert.deepEqual(
      broken.map((it) => it.name),
      ["bad", "beside"],
    );
    assert.deepEqual(
      runbook.commands.map((it) => it.name),
      ["good"],
    );
  });
});
