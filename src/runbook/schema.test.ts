import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Expected } from "../../test/fakes/marked-runbook.ts";
import { assertProblems, compileText, runbookOf } from "../../test/fakes/marked-runbook.ts";
import { TRIGGER_ACTIONS } from "./agent-objects.ts";
import { BLOCKS, OBJECTS } from "./schema.ts";

/** Uses every block and attribute there is. */
const EVERYTHING = `
command "feature" {
  description = "Builds a feature"
  args        = "<name> [what...] -f/--force [-b/--base <branch>]"
  defaults    = { base = "main" }
  run         = { job = "feature" }
}
command "talk" { run = { agent = "builder" } }
command "hello" { run = "echo hello" }

job "feature" {
  name      = "feature/\${var.name}"
  vars      = ["name", "base"]
  defaults  = { base = "main" }
  locals    = { short = "\${var.name:0:8}", long = "\${local.short}-\${args.what}" }
  cwd       = "sub"
  workspace { git = true  branch = "feat/\${local.short}"  ref = "\${var.base}" }
  notify    { on_start = "go"  on_done = "done"  on_fail = "oh"  on_decision = "?" }
  on_done   = "report"
  on_fail   = { step = "report" }
  on_cancel = { step = "report", attempts = 2 }

  step "plan" { run = { agent = "builder" } }
  step "ask" {
    depends_on = ["plan"]
    decision {
      prompt  = "Build?"
      context = "cat plan.md"
      urgency = "high"
      option "build" { label = "Build"  description = "Build it"  recommended = true }
      option "again" { step = "plan" }
      option "drop"  { action = "cancel" }
    }
  }
  step "check" {
    decision {
      template = "checkpoint"
      text     = "So far: \${step.plan.output}"
    }
  }
  step "child" { run = { job = "small", vars = { size = "\${decision.ask.choice}" } } }
  step "build" {
    run       = "make"
    env       = { PORT = 8080, DEBUG = true, HOME = "\${env.HOME}" }
    on_done   = { step = "last" }
    on_fail   = { step = "ask", attempts = 2 }
    on_cancel = "tidy"
  }
  step "last"   { run = "true" }
  step "tidy"   { run = "rm -rf tmp" }
  step "report" { run = "echo \${job.name}" }
}

job "small" {
  vars      = ["size"]
  workspace = "folder"
  step "only" { run = "echo \${var.size} in \${workspace.dir}" }
}

agent "builder" {
  run             = "claude"
  prompt          = "Do it"
  env             = { A = "b" }
  cwd             = "sub"
  prime           = { startup = "git status", signal = ["a", "b"] }
  on_idle         = { action = "nudge", message = "Go on.", append = true, attempts = 2, cooldown = "30s" }
  on_dead         = { action = "resume", attempts = "forever" }
  on_error        = [{ match = "rate_limited", action = "resume", cooldown = "60s" }, { action = "escalate" }]
  on_prompt       = "escalate"
  on_signal       = { action = "gate", run = "npm test", timeout = "5m" }
  notify          { on_start = "go" }
  max_concurrency = 3
  idle_after      = "1h30m"
  prompts         = [{ match = "Proceed\\\\?", options = [{ label = "Yes", keys = "y" }] }]
}
agent "reader" {
  run         = "claude"
  prompt_file = "prompt.md"
  prime       = "cat notes.md"
  on_error    = "fail"
}

decision_template "checkpoint" {
  prompt_hint      = "Say what was done"
  required_context = { progress = {}, options = { min = 2 } }
  urgency          = "low"
  on_cancel        = "unblock"
  option "go" { recommended = true }
  option "turn" { successor = "checkpoint" }
}

requests {
  builtin_templates = false
  file_check        = { failure = ["boom", "red light"], file = ["ticket"] }
}
`;

describe("a runbook that uses everything", () => {
  const { commands, jobs, agents, templates, requests } = runbookOf(EVERYTHING);
  const [feature, small] = jobs;
  const [builder, reader] = agents;

  it("has commands with arguments", () => {
    assert.deepEqual(commands[0], {
      path: "x.hcl",
      line: 2,
      name: "feature",
      description: "Builds a feature",
      usage: "<name> [what...] -f/--force [-b/--base <branch>]",
      args: [
        { kind: "positional", name: "name", required: true, variadic: false },
        { kind: "positional", name: "what", required: false, variadic: true },
        { kind: "flag", name: "force", short: "f" },
        { kind: "option", name: "base", short: "b", required: false, value: "branch" },
      ],
      defaults: { base: "main" },
      run: { type: "job", job: "feature" },
    });
    assert.deepEqual(
      commands.slice(1).map((it) => it.run),
      [
        { type: "agent", agent: "builder" },
        { type: "shell", script: "echo hello" },
      ],
    );
  });

  it("has jobs", () => {
    const { steps, ...job } = feature!;
    assert.deepEqual(job, {
      path: "x.hcl",
      line: 11,
      kind: "feature",
      name: "feature/${var.name}",
      vars: ["name", "base"],
      defaults: { base: "main" },
      locals: { short: "${var.name:0:8}", long: "${local.short}-${args.what}" },
      cwd: "sub",
      workspace: { type: "git", branch: "feat/${local.short}", ref: "${var.base}" },
      notify: { on_start: "go", on_done: "done", on_fail: "oh", on_decision: "?" },
      on_done: { step: "report" },
      on_fail: { step: "report" },
      on_cancel: { step: "report", attempts: 2 },
    });
    assert.deepEqual(
      steps.map((it) => it.name),
      ["plan", "ask", "check", "child", "build", "last", "tidy", "report"],
    );
    assert.deepEqual(small!.workspace, { type: "folder" });
  });

  it("has steps that run and steps that ask", () => {
    const [plan, ask, check, child, build] = feature!.steps;
    const { path: _, line: __, ...rest } = build!;
    assert.deepEqual(plan!.run, { type: "agent", agent: "builder" });
    assert.deepEqual(ask!.depends_on, ["plan"]);
    assert.deepEqual(ask!.run, {
      type: "decision",
      decision: {
        prompt: "Build?",
        context: "cat plan.md",
        urgency: "high",
        options: [
          { key: "build", label: "Build", description: "Build it", recommended: true },
          { key: "again", step: "plan" },
          { key: "drop", action: "cancel" },
        ],
      },
    });
    assert.deepEqual(check!.run, {
      type: "decision",
      decision: { template: "checkpoint", text: "So far: ${step.plan.output}", options: [] },
    });
    assert.deepEqual(child!.run, { type: "job", job: "small", vars: { size: "${decision.ask.choice}" } });
    assert.deepEqual(rest, {
      name: "build",
      run: { type: "shell", script: "make" },
      depends_on: [],
      env: { PORT: "8080", DEBUG: "true", HOME: "${env.HOME}" },
      on_done: { step: "last" },
      on_fail: { step: "ask", attempts: 2 },
      on_cancel: { step: "tidy" },
    });
  });

  it("has agents", () => {
    const { line: _, ...rest } = builder!;
    assert.deepEqual(rest, {
      path: "x.hcl",
      name: "builder",
      run: "claude",
      prompt: "Do it",
      env: { A: "b" },
      cwd: "sub",
      prime: { startup: ["git status"], signal: ["a", "b"] },
      on_idle: { action: "nudge", message: "Go on.", append: true, attempts: 2, cooldown_ms: 30_000 },
      on_dead: { action: "resume", attempts: "forever" },
      on_error: [{ match: "rate_limited", action: "resume", cooldown_ms: 60_000 }, { action: "escalate" }],
      on_prompt: { action: "escalate" },
      on_signal: { action: "gate", run: "npm test", timeout_ms: 300_000 },
      notify: { on_start: "go" },
      max_concurrency: 3,
      idle_after_ms: 5_400_000,
      prompts: [{ match: "Proceed\\?", options: [{ label: "Yes", keys: "y" }] }],
    });
    const every = ["cat notes.md"];
    assert.equal(reader!.prompt_file, "prompt.md");
    assert.deepEqual(reader!.prime, { startup: every, resume: every, clear: every, compact: every });
    assert.deepEqual(reader!.on_error, [{ action: "fail" }]);
  });

  it("has templates", () => {
    const { line: _, ...rest } = templates[0]!;
    assert.deepEqual(rest, {
      path: "x.hcl",
      name: "checkpoint",
      prompt_hint: "Say what was done",
      required_context: [{ key: "progress" }, { key: "options", min: 2 }],
      urgency: "low",
      on_cancel: "unblock",
      options: [
        { key: "go", recommended: true },
        { key: "turn", successor: "checkpoint" },
      ],
    });
  });

  it("has what it demands of requests", () =>
    assert.deepEqual(requests, { file_check: { failure: ["boom", "red light"], file: ["ticket"] } }));

  it("leaves no attribute of the table unused", () => {
    const tables = [...BLOCKS.map((it) => it.attributes), ...Object.values(OBJECTS)];
    const unused = tables
      .flatMap((it) => Object.keys(it))
      .filter((it) => !new RegExp(`\\b${it}\\b`).test(EVERYTHING));
    assert.deepEqual(
      unused,
      ["resume", "clear", "compact"].filter((it) => !EVERYTHING.includes(it)),
    );
  });

  it("has a description for each", () => {
    const described = BLOCKS.flatMap((it) => [
      it,
      ...Object.values(it.attributes),
      ...Object.values(it.blocks),
    ]);
    assert.ok(
      [...described, ...Object.values(OBJECTS).flatMap((it) => Object.values(it))].every(
        (it) => it.description.length > 5,
      ),
    );
    assert.ok(BLOCKS.every((it) => it.asBlock.every((name) => name in it.attributes)));
  });
});

const job = (inside: string, vars = '["x"]') =>
  `job "j" {\n  vars = ${vars}\n  ${inside}\n  step "a" { run = "true" }\n}`;
const step = (inside: string) => `job "j" {\n  step "a" { ${inside} }\n}`;
const asks = (inside: string) => step(`decision { prompt = "?"  ${inside} }`);
const agent = (inside: string) => `agent "a" {\n  run = "claude"\n  ${inside}\n}`;
const template = (inside: string) => `decision_template "t" { ${inside} }`;
const command = (inside: string) => `command "c" { run = "true"  ${inside} }`;

type Case = [marked: string, ...expected: Expected[]];

function refuses(what: string, cases: Case[]): void {
  describe(`a runbook is refused for ${what}`, () => {
    for (const [marked, ...expected] of cases)
      it(expected.map((one) => [one].flat()[0]).join("; "), () => assertProblems(marked, ...expected));
  });
}

refuses("what it doesn't know", [
  ['«jbo "j"» { step "a" { run = "x" } }', ['a file has no block "jbo"', 'did you mean "job"?']],
  [
    "«zebra» {}",
    ['a file has no block "zebra"', "there are command, job, agent, decision_template, requests"],
  ],
  ['requests «"x"» {}', ["requests has no name", "write requests { … }"]],
  ["requests {}\n«requests» {}", ["a project has one requests block", "the first is in x.hcl:1"]],
  [
    "requests { «file_chek» = false }",
    ['requests has no attribute "file_chek"', 'did you mean "file_check"?'],
  ],
  [
    'requests { file_check = «"no"» }',
    "file_check must be true, false or an object { failure file }, not a string",
  ],
  [
    "requests { file_check = { «fail» = [] } }",
    ['file_check has no attribute "fail"', 'did you mean "failure"?'],
  ],
  [
    'decision_template "t" { option "a" { successor = «"tt"» } }',
    ['template "tt" does not exist', 'did you mean "t"?'],
  ],
  [
    step('decision {\n prompt = "p"\n option "o" { successor = «"t"» }\n }'),
    ["nothing follows a step's option but steps", "successor is for the options of a decision_template"],
  ],
  ['«step "a"» { run = "x" }', ['a file has no block "step"', "step stands inside a job"]],
  [
    "«vars» = []",
    ['"vars" stands outside any block', "a file has command, job, agent, decision_template, requests blocks"],
  ],
  [job('«nmae» = "x"'), ['job "j" has no attribute "nmae"', 'did you mean "name"?']],
  [step('«rn» = "x"'), ['step "a" has no attribute "rn"', 'did you mean "run"?']],
  [job('«stpe "b"» { run = "x" }'), ['job "j" has no block "stpe"', 'did you mean "step"?']],
  [
    asks('option "a" { «desc» = "x" }'),
    ['option "a" has no attribute "desc"', 'did you mean "description"?'],
  ],
  [agent('«on_ready» = "x"'), 'agent "a" has no attribute "on_ready"'],
  [
    agent('on_idle = { action = "nudge", «mesage» = "x" }'),
    ['on_idle has no attribute "mesage"', 'did you mean "message"?'],
  ],
  [agent('prime = { «start» = "x" }'), ['prime has no attribute "start"', 'did you mean "startup"?']],
  [
    job('workspace { git = true  «brnch» = "x" }'),
    ['workspace has no attribute "brnch"', 'did you mean "branch"?'],
  ],
  [step('run = { «agnt» = "x" }'), ['run has no attribute "agnt"', 'did you mean "agent"?']],
  [
    template('«prompt» = "x"'),
    ['decision_template "t" has no attribute "prompt"', 'did you mean "prompt_hint"?'],
  ],
]);

refuses("the wrong form", [
  [step('«run» { agent = "x" }'), ["run is an attribute", "write run = …"]],
  [step('«decision» = { prompt = "x" }'), ["decision is a block", "write decision { … } without ="]],
  [job('notify «"x"» { on_start = "x" }'), "notify has no name"],
  [job("notify { «more» {} }"), "notify holds no blocks"],
  [step('decision «"x"» { prompt = "?"  option "a" {} }'), "decision has no name"],
]);

refuses("names", [
  ['«job» { step "a" { run = "x" } }', ["job needs a name", 'write job "name" { … }']],
  [
    'job «"a b"» { step "a" { run = "x" } }',
    ['"a b" is no name for job', "a name has letters, digits, _ and -"],
  ],
  ['job «""» { step "a" { run = "x" } }', '"" is no name for job'],
  ['job "a" «"b"» { step "a" { run = "x" } }', "job has one name only"],
  ['job "j" { step «"ä"» { run = "x" } }', '"ä" is no name for step'],
  [asks('option «"a.b"» {}'), '"a.b" is no name for option'],
  [
    'job "j" { step "a" { run = "x" }\nstep «"a"» { run = "y" } }',
    ['job "j" has two steps "a"', "the first is on line 1"],
  ],
  [asks('option "a" {} option «"a"» {}'), 'there are two options "a"'],
  ['agent "a" { run = "x" }\nagent «"a"» { run = "y" }', ['agent "a" is declared twice', "first in x.hcl:1"]],
  [`${command("")}\ncommand «"c"» { run = "true" }`, 'command "c" is declared twice'],
  [`${template("")}\ndecision_template «"t"» {}`, 'decision_template "t" is declared twice'],
  [job("«vars» = []"), ['"vars" is set twice', "first on line 2"]],
  [job('notify { on_start = "a" } «notify» { on_start = "b" }'), '"notify" is set twice'],
  [job("", '["x", «"x"»]'), '"x" is in vars twice'],
  [
    step('run = "x" env = { «"A-B"» = "x" }'),
    ['"A-B" is not a name that env can have', "letters, digits and _, not beginning with a digit"],
  ],
  [job('locals = { «"a b"» = "x" }'), '"a b" is not a name that locals can have'],
]);

refuses("what is missing", [
  ['«command "c"» { }', ['command "c" needs run', "run is what it starts: a job, an agent, or a shell line"]],
  ['«agent "a"» { }', 'agent "a" needs run'],
  ['«job "j"» { }', 'job "j" has no step'],
  ['job "j" { «step "a"» { } }', ['step "a" has nothing to do', 'give it run = "…" or a decision { … }']],
  [step('«decision» { option "a" {} }'), "decision needs a prompt or a template"],
  [step('«decision» { prompt = "?" }'), "decision has no option"],
  [agent('on_idle = «{ message = "x" }»'), "on_idle needs action"],
  [agent('on_signal = «{ action = "gate" }»'), "a gate needs run, the shell line that must exit 0"],
  [agent('on_signal = «"gate"»'), "a gate needs run, the shell line that must exit 0"],
  [step("run = «{ }»"), 'run must be one of: a shell script, { agent = "…" } or { job = "…" }'],
  [step('run = "x" on_fail = «{ attempts = 2 }»'), "on_fail needs step"],
  [agent('prompts = [«{ match = "x" }»]'), "each of prompts needs options"],
]);

refuses("what can't go together", [
  [
    'job "j" { «step "a"» { run = "x"\n decision { prompt = "?"  option "a" {} } } }',
    'step "a" has both run and decision',
  ],
  [
    step('decision { prompt = "?" option "a" {} } «decision» { prompt = "?" option "a" {} }'),
    'step "a" has two decisions',
  ],
  [asks('context = "x" text = «"y"»  option "a" {}'), "decision has both context and text"],
  [
    asks('option "a" { step = "a" action = «"fail"» } option "b" {}'),
    "an option has a step or an action, not both",
  ],
  [
    asks('option "a" { recommended = true } option "b" { recommended = «true» }'),
    '"a" is recommended already',
  ],
  [agent('prompt = "x"\n prompt_file = «"y"»'), 'agent "a" has both prompt and prompt_file'],
  [
    step('run = «{ agent = "a", job = "j" }»'),
    'run must be one of: a shell script, { agent = "…" } or { job = "…" }',
  ],
  [
    'command "c" { run = «{ agent = "a", job = "j" }» }',
    'run must be one of: a shell line, { job = "…" } or { agent = "…" }',
  ],
  [`${agent("")}\n${step('run = «{ agent = "a", vars = {} }»')}`, "vars go to a job, not to an agent"],
  [job('«workspace» { branch = "x" }'), "branch needs git = true"],
  [job('«workspace» { git = false  ref = "x" }'), "ref needs git = true"],
  [
    agent('on_idle = { action = "nudge", run = «"x"», timeout = «"5s"» }'),
    'run belongs to a gate, not to "nudge"',
    'timeout belongs to a gate, not to "nudge"',
  ],
  [agent('on_idle = { action = "nudge", match = «"x"» }'), "only on_error has match, not on_idle"],
  [
    agent('on_error = [{ action = "fail" }, «{ match = "other", action = "resume" }»]'),
    "this is never reached: the one before it matches every error",
  ],
]);

refuses("values of the wrong kind", [
  [job("name = «5»"), "name must be a string, not a number"],
  [job("name = «null»"), "name must be a string, not null"],
  [job('name = «""»'), "name is empty"],
  [job("cwd = «[]»"), "cwd must be a string, not a list"],
  [job("", '«"x"»'), "vars must be a list of names, not a string"],
  [job("", "[«1»]"), "each of vars must be a name, not a number"],
  [job("", '[«"a b"»]'), 'each of vars must be a name of letters, digits, _ and -, not "a b"'],
  [job("defaults = «[]»"), "defaults must be an object of strings, not a list"],
  [job("defaults = { x = «{}» }"), "defaults.x must be a string, not an object"],
  [job('workspace = «"git"»'), 'workspace can\'t be "git"'],
  [job("workspace = «true»"), 'workspace must be "folder" or a block { git branch ref }, not true'],
  [job('workspace { git = «"yes"» }'), "git must be true or false, not a string"],
  [step("run = «true»"), 'run must be a shell script, { agent = "…" } or { job = "…" }, not true'],
  [step('run = «" "»'), "run is empty"],
  [
    step('run = "x" on_done = «3»'),
    "on_done must be a step's name or { step = …, attempts = … }, not a number",
  ],
  [
    step('run = "x" on_fail = { step = "a", attempts = «0» }'),
    "attempts must be a whole number from 1, not 0",
  ],
  [
    step('run = "x" on_fail = { step = "a", attempts = «1.5» }'),
    "attempts must be a whole number from 1, not 1.5",
  ],
  [step('run = "x" depends_on = «"b"»'), "depends_on must be a list of names, not a string"],
  [asks('urgency = «"urgent"» option "a" {}'), 'urgency can\'t be "urgent"'],
  [asks('option "a" { action = «"contine"» }'), ['action can\'t be "contine"', 'did you mean "continue"?']],
  [asks('option "a" { recommended = «"true"» }'), "recommended must be true or false, not a string"],
  [
    agent("prime = «5»"),
    "prime must be a string, a list of strings, or an object { startup resume clear compact signal }, not a number",
  ],
  [agent('prime = ["a", «5»]'), "each of prime must be a string, not a number"],
  [agent("prime = { startup = «{}» }"), "startup must be a string or a list of strings, not an object"],
  [
    agent('on_idle = { action = "nudge", attempts = «"always"» }'),
    'attempts must be a whole number from 1 or "forever", not a string',
  ],
  [
    agent('on_idle = { action = "nudge", cooldown = «"5 min"» }'),
    'cooldown must be a duration like "30s", "5m" or "1h30m", not "5 min"',
  ],
  [
    agent("on_idle = «[]»"),
    'on_idle must be "nudge" or "done" or "fail" or "escalate" or "gate", or an object with that action, not a list',
  ],
  [agent("on_error = «[]»"), "on_error has nothing in its list"],
  [
    agent('on_error = { action = "resume", match = «"rate_limit"» }'),
    ['no error is called "rate_limit"', 'did you mean "rate_limited"?'],
  ],
  [agent("idle_after = «30»"), 'idle_after must be a duration like "30s", "5m" or "1h30m", not a number'],
  [agent('idle_after = «"0s"»'), "idle_after must be more than 0"],
  [agent("max_concurrency = «-1»"), "max_concurrency must be a whole number from 1, not -1"],
  [
    agent('prompts = [{ match = «"("», options = [] }]'),
    "match is no regular expression: Invalid regular expression: /(/mu: Unterminated group",
  ],
  [
    template('required_context = «"a"»'),
    "required_context must be a list of keys, or an object key = { min = 2 }, not a string",
  ],
  [template("required_context = { a = «2» }"), "required_context.a must be { min = 2 }, not a number"],
  [template("required_context = { a = { min = «0» } }"), "min must be a whole number from 1, not 0"],
]);

describe("triggers", () => {
  it.each(Object.entries(TRIGGER_ACTIONS))("%s can have exactly its actions", (on, actions) => {
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

  it("say what they can", () => {
    assertProblems(
      agent('on_idle = «"resume"»'),
      'on_idle can\'t "resume"; it can nudge, done, fail, escalate or gate',
    );
    assertProblems(agent('on_dead = { action = «"resme"» }'), [
      'on_dead can\'t "resme"; it can resume, done, fail, escalate or gate',
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
      [[11, "a decision has up to 9 options; there are 10"]],
    );
  });

  it("are two hundred steps", () => {
    assert.deepEqual(compileText(`job "j" { ${steps(200)} }`).problems, []);
    const { problems } = compileText(`job "j" { ${steps(201)} }`);
    assert.deepEqual(
      problems.map((it) => it.message),
      ["a job has up to 200 steps; there are 201"],
    );
  });
});

it("takes a map or notify as a block as well", () => {
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

it("keeps names that JavaScript has its own ideas about", () => {
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

it("tells what is wrong in a block that could not be read to its end, but not what seems missing", () => {
  assertProblems(
    'agent "a" {\n  run = «claude»\n  «promt» = "x"\n}\njob "j" {\n  «?»?\n}',
    "claude is no value",
    'agent "a" has no attribute "promt"',
    'expected an attribute or a block, not "?"',
  );
});
