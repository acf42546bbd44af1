import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { runbookOf } from "../../../test/fakes/marked-runbook.ts";
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
      approvers = ["ana", "backend"]
      min       = 2
      self      = "deny"
      fresh     = "passkey 5m"
      option "build" { label = "Build"  description = "Build it"  recommended = true }
      option "again" { step = "plan" }
      option "drop"  { action = "cancel" }
    }
  }
  step "check" {
    decision {
      template = "checkpoint"
      fields   = { progress = "half", options = ["on", "\${step.plan.output}"] }
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
  hung_after      = "20m"
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

decision_template "ruled" {
  approvers = ["ana"]
  min       = 1
  self      = "allow"
  fresh     = "passkey 1h"
}

escalation "prod" {
  level {
    notify = ["@primary"]
    via    = ["slack", "push"]
    remind = "5m"
    next   = "15m"
  }
  level {
    notify = ["ben", "backend"]
    next   = "30m"
  }
  repeat    = 2
  claim_for = "45m"
  clock     = "working"
  deadline  = "4h"
  default   = "deny"
}
job "ships" {
  notify { escalation = "prod"  deadline = "1h"  default = "stop" }
  step "ask" {
    decision {
      prompt = "Ship?"
      option "go"   { reversible = true }
      option "stop" { action = "cancel" }
    }
  }
}

requests {
  builtin_templates = false
  file_check        = { failure = ["boom", "red light"], file = ["ticket"] }
}

policy "look around" {
  approve = {
    tool    = "Bash"
    command = ["git status **", "ls **"]
    within  = "workspace"
  }
  at_most      = "60/h"
  expires      = "2027-02-01"
  irreversible = true
  message      = "Fine."
}
policy "no pipes to shells" { deny = { tool = "Bash", pipe = ["curl **", "sh **"], outside = "workspace" } }
policy "migrations" {
  ask        = { tool = ["Edit", "Write"], path = "db/migrations/**" }
  urgency    = "high"
  escalation = "prod"
}
policy "go on" {
  answer { source = "idle"  said = "*continue?"  question = "*"  title = "*"  option = "nudge" }
  at_most = "3 in a row"
}
irreversible "ship" { tool = "Bash"  command = "make ship **"  pipe = ["yes", "ship"] }
`;

describe("a runbook that uses everything", () => {
  const { commands, jobs, agents, templates, escalations, requests } = runbookOf(EVERYTHING);
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
        approvers: ["ana", "backend"],
        min: 2,
        self: "deny",
        fresh: "passkey 5m",
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
      decision: {
        template: "checkpoint",
        text: "So far: ${step.plan.output}",
        fields: { progress: "half", options: ["on", "${step.plan.output}"] },
        // its template's
        options: [
          { key: "go", recommended: true },
          { key: "turn", successor: "checkpoint" },
        ],
      },
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
      hung_after_ms: 1_200_000,
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

  it("has what it requires of requests", () =>
    assert.deepEqual(requests, { file_check: { failure: ["boom", "red light"], file: ["ticket"] } }));

  it("has escalations, and carries each along where it is named", () => {
    const prod = {
      name: "prod",
      levels: [
        { notify: ["@primary"], via: ["slack", "push"], remind_ms: 300_000, next_ms: 900_000 },
        { notify: ["ben", "backend"], via: null, remind_ms: null, next_ms: 1_800_000 },
      ],
      repeat: 2,
      claim_for_ms: 2_700_000,
      clock: "working",
      deadline_ms: 14_400_000,
      default: "deny",
    };
    assert.deepEqual(escalations, [prod]);
    const ships = jobs.find((it) => it.kind === "ships")!;
    assert.deepEqual(ships.notify, {
      escalation: "prod",
      chain: prod,
      deadline_ms: 3_600_000,
      default: "stop",
    });
    const { run } = ships.steps[0]!;
    assert.equal(run.type === "decision" && run.decision.options[0]?.reversible, true);
  });

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
