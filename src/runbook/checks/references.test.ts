import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Expected } from "../../../test/fakes/marked-runbook.ts";
import { assertProblems } from "../../../test/fakes/marked-runbook.ts";
import { withAgent } from "../../core/flow/agent-scope.ts";
import { scopeOf } from "../../core/flow/scope.ts";
import type { Job } from "../../core/model/job-types.ts";
import { FIELDS } from "./references.ts";

const job = (inside: string, more = "") =>
  `job "j" {\n  vars = ["name"]\n  locals = { short = "x" }\n  ${more}\n  step "ask" { decision {\n prompt = "?"\n option "a" {} } }\n  step "a" { ${inside} }\n}`;
const run = (script: string, more = "") => job(`run = "echo ${script}"`, more);

describe("a reference", () => {
  it.each<[what: string, text: string]>([
    [
      "to everything a job has",
      run(
        "${var.name} ${local.short} ${step.ask.status} ${decision.ask.choice} ${job.id} ${invoke.dir} ${env.HOME} ${args.x}",
      ),
    ],
    ["to a workspace that is there", run("${workspace.dir} ${workspace.branch}", 'workspace = "folder"')],
    ["with a default or a part", run("${var.name:-none} ${var.name:0:8}")],
    ["that belongs to the shell", run("${HOME} ${x:-y} ${x%%.*} ${a[0]} $(date) ${#x} ${x//a.b/c}")],
    ["that is meant as text", run("$${foo.bar} %%{x}")],
    ["to an argument", 'command "c" {\n args = "<a>"\n run = "echo ${args.a} ${env.HOME} ${invoke.dir}"\n}'],
    [
      "in the default of an argument, to what is there before anything starts",
      'command "c" {\n args = "[a]"\n defaults { a = "${env.USER:-me} in ${invoke.dir}" }\n run = "x"\n}',
    ],
    [
      "to an argument of a command that starts the job",
      `command "c" {\n args = "<name> <x>"\n run = { job = "j" }\n}\n${run("${args.x}")}`,
    ],
    [
      "to what one of an agent's jobs has",
      `agent "g" {\n run = "claude"\n prompt = "\${var.name} \${decision.ask.message}"\n}\n${job('run = { agent = "g" }')}\njob "k" { step "a" { run = { agent = "g" } } }`,
    ],
    [
      "to an argument, in an agent that a command runs",
      `command "c" {\n args = "<a>"\n run = { agent = "g" }\n}\nagent "g" {\n run = "claude"\n prompt = "\${var.a} \${args.a} \${job.root} \${agent.id} \${env.X} \${invoke.dir} \${step.x.output:-none}"\n}`,
    ],
    [
      "to what a job or a command with the agent has",
      `command "c" {\n args = "<a>"\n run = { agent = "g" }\n}\nagent "g" {\n run = "claude"\n prompt = "\${var.name} \${var.a} \${step.ask.status}"\n}\n${job('run = { agent = "g" }')}`,
    ],
    [
      "to anything in an agent that nothing uses",
      'agent "g" {\n run = "claude"\n prompt = "${var.anything}"\n}',
    ],
  ])("is accepted: one %s", (_, text) => assertProblems(text));

  it.each<[what: string, marked: string, ...expected: Expected[]]>([
    ["of an unknown kind", run("a «${vars.name}» b"), ['"vars" is not a namespace', 'did you mean "var"?']],
    [
      "of a kind like nothing else",
      run("«${foo.bar}»"),
      [
        '"foo" is not a namespace',
        "the namespaces are var, args, local, workspace, invoke, job, step, decision, agent, env; for a literal ${ write $${",
      ],
    ],
    [
      "in the default of an argument, to another one",
      'command "c" {\n args = "[a] [b]"\n defaults = { a = "«${args.b}»" }\n run = "x"\n}',
      "args.b is not available yet when the arguments are read",
    ],
    [
      "in the default of an argument, to the job",
      'command "c" {\n args = "[a]"\n defaults { a = "«${job.id}»" }\n run = "x"\n}',
      "job.id is not available yet when the arguments are read",
    ],
    ["to a var that isn't there", run("«${var.nam}»"), ['there is no var "nam"', 'did you mean "name"?']],
    ["to a var that isn't there, with a default", run("«${var.nam:-x}»"), 'there is no var "nam"'],
    ["in another's default", run("${var.name:-«${var.nam}»}"), 'there is no var "nam"'],
    ["to a local that isn't there", run("«${local.long}»"), 'there is no local "long"'],
    [
      "to a step that isn't there",
      run("«${step.aks.output}»"),
      ['there is no step "aks"', 'did you mean "ask"?'],
    ],
    [
      "to a decision of a step that asks nothing",
      run("«${decision.a.choice}»"),
      ['there is no decision step "a"', "known: ask"],
    ],
    [
      "to a workspace that isn't there",
      run("«${workspace.dir}»"),
      "workspace.dir is not available: this job has no workspace",
    ],
    [
      "to something a step doesn't have",
      run("«${step.ask.outptu}»"),
      ['step.ask has no "outptu"', 'did you mean "output"?'],
    ],
    ["to something a job doesn't have", run("«${job.nmae}»"), ['job has no "nmae"', 'did you mean "name"?']],
    [
      "to a step as a whole",
      run("«${step.ask}»"),
      ["step.ask is not a single value", "add .status or .output or .error or .exit_code"],
    ],
    [
      "that goes too far",
      run("«${var.name.first}» «${step.ask.output.x}»"),
      "nothing can follow var.name",
      "nothing can follow step.ask.output",
    ],
    ["that isn't well formed", run("«${var.name!}»"), "${var.name!} is not a reference"],
    ["after an escape", run('\\"é😀\\n\\" «${var.nam}»'), 'there is no var "nam"'],
    [
      "in a heredoc",
      job("run = <<-EOF\n      echo é\n        echo «${var.nam}»\n      EOF\n"),
      'there is no var "nam"',
    ],
    ["deep in an object", job('run = "x"\n env = { A = "«${var.nam}»" }'), 'there is no var "nam"'],
    [
      "to an argument of no command that starts the job",
      `command "c" {\n args = "<name> <x>"\n run = { job = "j" }\n}\n${run("«${args.y}»")}`,
      'there is no argument "y"',
    ],
    [
      "in an agent that only a command runs, to what is not its argument",
      'command "c" {\n args = "<name>"\n run = { agent = "g" }\n}\nagent "g" {\n run = "claude"\n prompt = "«${var.nam}»"\n on_signal = { action = "gate", run = "test «${args.nme}»" }\n}',
      ['there is no argument "nam"', 'did you mean "name"?'],
      ['there is no argument "nme"', 'did you mean "name"?'],
    ],
    [
      "in an agent that only a command runs, to what a job has",
      'command "c" { run = { agent = "g" } }\nagent "g" {\n run = "claude"\n prompt = "«${step.a.output}» «${job.name}» «${local.x}» «${workspace.dir}» «${decision.a.choice}»"\n}',
      "step.a.output belongs to a job, and only crews run this agent",
      "job.name belongs to a job, and only crews run this agent",
      "local.x belongs to a job, and only crews run this agent",
      "workspace.dir belongs to a job, and only crews run this agent",
      "decision.a.choice belongs to a job, and only crews run this agent",
    ],
    [
      "in a command",
      'command "c" {\n args = "<name>"\n run = "echo «${args.nam}» «${var.name}»"\n}',
      'there is no argument "nam"',
      "var.name belongs to a job; a command has args",
    ],
    [
      "in an agent to what none of its jobs has",
      `agent "g" {\n run = "claude"\n prompt = "«\${var.nam}» «\${decision.a.choice}» «\${workspace.dir}»"\n}\n${job('run = { agent = "g" }')}`,
      'there is no var "nam"',
      'there is no decision step "a"',
      "workspace.dir is not available: no job with this agent has a workspace",
    ],
    ["in a template", 'decision_template "t" {\n prompt_hint = "«${vra.x}»"\n}', '"vra" is not a namespace'],
  ])("is reported: one %s", (_, marked, ...expected) => assertProblems(marked, ...expected));

  it("is left alone if what it names could not be read", () => {
    const names = "${var.x} ${local.y} ${workspace.dir} ${step.b.output}";
    const unread = 'vars = «5»\n  locals = «[]»\n  workspace = «"x"»\n  step «"b c"» { run = "x" }';
    const agent = `agent "g" {\n  run = "x"\n  prompt = "${names}"\n}\n`;
    const expected = [
      "vars must be a list of names, not a number",
      "locals must be an object of strings, not a list",
      'workspace can\'t be "x"',
      '"b c" is not a valid name for step',
    ];
    assertProblems(`job "j" {\n  ${unread}\n  step "a" { run = "echo ${names}" }\n}`, ...expected);
    assertProblems(`${agent}job "j" {\n  ${unread}\n  step "a" { run = { agent = "g" } }\n}`, ...expected);
  });

  it("in locals may use only earlier ones", () => {
    const locals = (inside: string) =>
      `job "j" {\n  vars = ["x"]\n  locals = {\n ${inside}\n }\n  step "a" { run = "x" }\n}`;
    assertProblems(locals('a = "${var.x}"\n b = "${local.a}"'));
    assertProblems(
      locals('a = "«${local.b}»"\n b = "«${local.b}»"'),
      'local "b" is used before it is declared',
      'local "b" is used before it is declared',
    );
    assertProblems(locals('a = "«${local.c}»"'), 'there is no local "c"');
    assertProblems(
      locals('a = "«${step.a.output}»"'),
      "step.a.output is not available yet when the job starts",
    );
    assertProblems(locals('a = "«${local.b}»"').replace("locals =", "locals"), 'there is no local "b"');
  });

  it("in what a job starts with may not use what comes later", () => {
    assertProblems(
      run("x", 'name = "«${decision.ask.choice}»"'),
      "decision.ask.choice is not available yet when the job starts",
    );
    assertProblems(
      run("x", 'defaults = { name = "«${local.short}»" }'),
      "local.short is not available yet when the job starts",
    );
    assertProblems(
      run("x", 'workspace { git = true  branch = "«${workspace.dir}»" }'),
      "workspace.dir is not available yet when the job starts",
    );
  });

  it("is not reported if too many are nested to be checked", () => {
    assertProblems(
      `job "j" {\n  name = «<<E»\n${"${var.x:-".repeat(200)}\nE\n  step "a" { run = "x" }\n}`,
      "more than 50 ${ are nested or not closed",
    );
  });
});

describe("the fields after a name", () => {
  it("are those that a job really has", () => {
    const step = { name: "s", status: "completed", output: "", error: null, exit_code: 0, choice: null };
    const job = {
      vars: {},
      args: {},
      locals: {},
      env: {},
      invoke: "/",
      workspace: { path: "/" },
      steps: [step],
      ending: null,
    };
    const ofJob = scopeOf({
      ...job,
      id: "j",
      name: "n",
      kind: "k",
      project: "p",
      root: "/",
      message: null,
    } as unknown as Job);
    const scope = withAgent({ id: "agt-1", name: "builder" }, ofJob);
    for (const [namespace, fields] of Object.entries(FIELDS)) {
      for (const field of [...fields, "nothing"]) {
        const path = ["step", "decision"].includes(namespace) ? ["s", field] : [field];
        const value = scope({ raw: "", start: 0, end: 0, namespace, path });
        assert.equal(value === undefined, field === "nothing", `${namespace}.${field}`);
      }
    }
  });
});
