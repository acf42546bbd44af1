// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the runbooks under test contain ${…}.
import { describe, it } from "vitest";
import type { Expected } from "../../../test/fakes/marked-runbook.ts";
import { assertProblems } from "../../../test/fakes/marked-runbook.ts";

const step = (inside: string) => `job "j" {\n  vars = ["x"]\n  step "a" {\n ${inside}\n }\n}`;
const agent = (inside: string) =>
  `agent "g" {\n  ${inside}\n}\njob "j" {\n  vars = ["x"]\n  step "a" { run = { agent = "g" } }\n}`;
const run: Expected = [
  "${var.x} would be run as shell text",
  `pass it as an argument: bash -c 'echo "$1"' _ \${var.name}`,
];

describe("a value in a script", () => {
  it.each<[what: string, text: string]>([
    ["in a step", step('run = "echo ${var.x}"')],
    ["in a variable of a step", step('run = "echo $TITLE"\n env = { TITLE = "${var.x}" }')],
    ["in a gate", agent('run = "claude"\n on_signal = { action = "gate", run = "test -e ${var.x}" }')],
    ["in a prime line", agent('run = "claude"\n prime = ["cat notes/${var.x}"]')],
  ])("is accepted %s", (_, text) => assertProblems(text));

  it.each<[what: string, marked: string, ...expected: Expected[]]>([
    ["in a step", step('run = "eval «${var.x}»"'), run],
    ["in a heredoc, at its place", step("run = <<-EOF\n    echo ok\n    bash -c '«${var.x}»'\n  EOF\n"), run],
    [
      "in a context",
      step('decision {\n prompt = "?"\n context = "eval «${var.x}»"\n option "a" {}\n }'),
      run,
    ],
    [
      "in a command",
      'command "c" {\n args = "<x>"\n run = "echo hi >& logs/«${args.x}».log"\n}',
      ["${args.x} follows >& or <&, where bash expands it twice", "for both outputs write: > file 2>&1"],
    ],
    ["in an agent's line", agent('run = "sh -c «${var.x}»"'), run],
    ["in a gate", agent('run = "claude"\n on_signal = { action = "gate", run = "eval «${var.x}»" }'), run],
    ["in a prime line", agent('run = "claude"\n prime = { startup = ["eval «${var.x}»"] }'), run],
    [
      "in one of several errors",
      agent('run = "claude"\n on_error = [{ action = "gate", run = "eval «${var.x}»" }]'),
      run,
    ],
    [
      "in a variable of a step that bash evaluates",
      step('run = "true"\n env = { BASH_ENV = «"${var.x}"» }'),
      "the value of BASH_ENV goes into BASH_ENV, which bash or another program evaluates",
    ],
    [
      "in a variable of a step that its script evaluates",
      step('run = "eval $CODE"\n env = { CODE = «"${var.x}"» }'),
      "the value of CODE would be run as shell text",
    ],
    [
      "in a variable of an agent that a gate calculates with",
      agent(
        'run = "claude"\n env = { N = «"${var.x}"» }\n on_signal = { action = "gate", run = "test $((N)) = 1" }',
      ),
      "the value of N reaches bash arithmetic",
    ],
    [
      "in a script that can't be read",
      step("run = <<-EOF\n    echo ok\n«echo \\${var.x}»\n  EOF\n"),
      "Can't place values safely in this script: line 2 has a backslash before a reference (a literal ${ is written $${)",
    ],
  ])("is reported %s", (_, marked, ...expected) => assertProblems(marked, ...expected));
});
