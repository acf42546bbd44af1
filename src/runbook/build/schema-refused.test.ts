import { describe, it } from "vitest";
import type { Expected } from "../../../test/fakes/marked-runbook.ts";
import { agent, asks, assertProblems, step } from "../../../test/fakes/marked-runbook.ts";

const job = (inside: string, vars = '["x"]') =>
  `job "j" {\n  vars = ${vars}\n  ${inside}\n  step "a" { run = "true" }\n}`;
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
  ['«jbo "j"» { step "a" { run = "x" } }', ['"jbo" is not a top-level block', 'did you mean "job"?']],
  [
    "«zebra» {}",
    [
      '"zebra" is not a top-level block',
      "known: command, job, agent, decision_template, escalation, requests, policy, irreversible",
    ],
  ],
  ['requests «"x"» {}', ["requests takes no name", "write requests { … }"]],
  ["requests {}\n«requests» {}", ["a project can have only one requests block", "the first is in x.hcl:1"]],
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
    ["an option of a step can't have a successor", "successor is for the options of a decision_template"],
  ],
  ['«step "a"» { run = "x" }', ['"step" is not a top-level block', "step belongs inside a job"]],
  [
    "«vars» = []",
    [
      '"vars" is outside any block',
      "a file contains command, job, agent, decision_template, escalation, requests, policy, irreversible blocks",
    ],
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
  [job('notify «"x"» { on_start = "x" }'), "notify takes no name"],
  [job("notify { «more» {} }"), "notify can't contain blocks"],
  [step('decision «"x"» { prompt = "?"  option "a" {} }'), "decision takes no name"],
]);

refuses("names", [
  ['«job» { step "a" { run = "x" } }', ["job needs a name", 'write job "name" { … }']],
  [
    'job «"a b"» { step "a" { run = "x" } }',
    ['"a b" is not a valid name for job', "a name has letters, digits, _ and -"],
  ],
  ['job «""» { step "a" { run = "x" } }', '"" is not a valid name for job'],
  ['job "a" «"b"» { step "a" { run = "x" } }', "job takes only one name"],
  ['job "j" { step «"ä"» { run = "x" } }', '"ä" is not a valid name for step'],
  [asks('option «"a.b"» {}'), '"a.b" is not a valid name for option'],
  [
    'job "j" { step "a" { run = "x" }\nstep «"a"» { run = "y" } }',
    ['job "j" has two steps called "a"', "the first is on line 1"],
  ],
  [asks('option "a" {} option «"a"» {}'), 'there are two options called "a"'],
  ['agent "a" { run = "x" }\nagent «"a"» { run = "y" }', ['agent "a" is declared twice', "first in x.hcl:1"]],
  [`${command("")}\ncommand «"c"» { run = "true" }`, 'command "c" is declared twice'],
  [`${template("")}\ndecision_template «"t"» {}`, 'decision_template "t" is declared twice'],
  [job("«vars» = []"), ['"vars" is set twice', "first on line 2"]],
  [job('notify { on_start = "a" } «notify» { on_start = "b" }'), '"notify" is set twice'],
  [job("", '["x", «"x"»]'), '"x" appears twice in vars'],
  [
    step('run = "x" env = { «"A-B"» = "x" }'),
    ['"A-B" is not a valid name in env', "letters, digits and _, not beginning with a digit"],
  ],
  [job('locals = { «"a b"» = "x" }'), '"a b" is not a valid name in locals'],
]);

refuses("what is missing", [
  ['«command "c"» { }', ['command "c" needs run', "run is what it starts: a job, an agent, or a shell line"]],
  ['«agent "a"» { }', 'agent "a" needs run'],
  ['«job "j"» { }', 'job "j" has no steps'],
  ['job "j" { «step "a"» { } }', ['step "a" has nothing to do', 'give it run = "…" or a decision { … }']],
  [step('«decision» { option "a" {} }'), "decision needs a prompt or a template"],
  [step('«decision» { prompt = "?" }'), "decision has no options"],
  [agent('on_idle = «{ message = "x" }»'), "on_idle needs action"],
  [agent('on_signal = «{ action = "gate" }»'), "a gate needs run: the shell line that must exit 0"],
  [agent('on_signal = «"gate"»'), "a gate needs run: the shell line that must exit 0"],
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
    "an option can have a step or an action, not both",
  ],
  [
    asks('option "a" { recommended = true } option "b" { recommended = «true» }'),
    '"a" is already recommended',
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
  [agent('on_idle = { action = "nudge", match = «"x"» }'), "only on_error takes match, not on_idle"],
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
    'attempts must be a whole number or "forever", not a string',
  ],
  [
    agent('on_idle = { action = "nudge", cooldown = «"5 min"» }'),
    'cooldown must be a duration like "30s", "5m" or "1h30m", not "5 min"',
  ],
  [
    agent("on_idle = «[]»"),
    'on_idle must be "nudge" or "done" or "fail" or "escalate" or "gate", or an object with that action, not a list',
  ],
  [agent("on_error = «[]»"), "on_error is an empty list"],
  [
    agent('on_error = { action = "resume", match = «"rate_limit"» }'),
    ['there is no error kind "rate_limit"', 'did you mean "rate_limited"?'],
  ],
  [agent("idle_after = «30»"), 'idle_after must be a duration like "30s", "5m" or "1h30m", not a number'],
  [agent('idle_after = «"0s"»'), "idle_after must be more than 0"],
  [agent("max_concurrency = «-1»"), "max_concurrency must be a whole number from 1, not -1"],
  [
    agent('prompts = [{ match = «"("», options = [] }]'),
    "match is not a valid regular expression: Invalid regular expression: /(/mu: Unterminated group",
  ],
  [
    template('required_context = «"a"»'),
    "required_context must be a list of keys, or an object key = { min = 2 }, not a string",
  ],
  [template("required_context = { a = «2» }"), "required_context.a must be { min = 2 }, not a number"],
  [template("required_context = { a = { min = «0» } }"), "min must be a whole number from 1, not 0"],
]);

const escalation = (inside: string, level = "") =>
  `escalation "e" {\n  ${inside}\n  level {\n    notify = ["ana"]\n    ${level}\n  }\n}`;

refuses("a time that no calendar has", [
  [escalation('deadline = «"367d"»'), 'deadline must be at most "366d"'],
  [escalation('claim_for = «"31d"»'), 'claim_for must be at most "30d"'],
  [escalation("", 'next = «"99999999d"»'), 'next must be at most "366d"'],
  [escalation("", 'next = "2d"\n    remind = «"367d"»'), 'remind must be at most "366d"'],
]);
