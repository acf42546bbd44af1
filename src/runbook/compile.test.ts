import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compileText, messagesOf, runbookOf } from "../../test/fakes/marked-runbook.ts";
import { nextInOrder } from "../core/flow/order.ts";
import { compile, parseFile } from "./compile.ts";

const EXAMPLE = `
command "feature" {
  args = "<name> <what> [--base <branch>]"
  run  = { job = "feature" }
}

job "feature" {
  vars = ["name", "what", "base"]
  workspace { git = true  branch = "feat/\${var.name}" }     # own git worktree; removed on success and cancel, kept on failure

  step "plan"    { run = { agent = "planner" } }
  step "approve" {
    depends_on = ["plan"]
    decision {
      prompt  = "Build this plan?"
      context = "cat plan.md"                               # shell; stdout becomes the context
      option "build"  { description = "Build it"  recommended = true }
      option "revise" { description = "Back to planning"  step = "plan" }
      option "cancel" { description = "Drop it"  action = "cancel" }
    }
  }
  step "build"   { run = { agent = "builder" }  depends_on = ["approve"]  on_fail = { step = "approve" } }
  step "test"    { run = "npm test" }
}

agent "builder" {
  run       = "claude"
  prompt    = "Implement \${var.what}. The reviewer said: \${decision.approve.message}"
  prime     = { startup = "git status --short", signal = "cat .oj/before-you-finish.md" }
  on_idle   = { action = "nudge", message = "Go on.", attempts = 2, cooldown = "30s" }
  on_signal = { action = "gate", run = "npm test" }
  on_dead   = { action = "resume", attempts = 2 }
  on_error  = [{ match = "rate_limited", action = "resume", cooldown = "60s", attempts = 5 }, { action = "escalate" }]
  on_prompt = "escalate"
}

decision_template "tradeoff" {
  prompt_hint      = "Competing options with a recommendation"
  required_context = ["options", "recommendation"]
  urgency          = "medium"
}
`;

const PLANNER = 'agent "planner" { run = "claude" }\n';

describe("the example of the design", () => {
  it("has no problems once its planner is declared", () => {
    const { commands, jobs, agents, templates } = runbookOf(EXAMPLE + PLANNER);
    assert.deepEqual([commands.length, jobs.length, agents.length, templates.length], [1, 1, 2, 1]);
    assert.deepEqual(
      jobs[0]?.steps.map((it) => it.name),
      ["plan", "approve", "build", "test"],
    );
    assert.deepEqual(templates[0]?.required_context, [{ key: "options" }, { key: "recommendation" }]);
  });

  it("is reported as incomplete as it stands", () => {
    assert.deepEqual(messagesOf(compileText(EXAMPLE).problems), ['x.hcl:11 agent "planner" does not exist']);
  });
});

it("the heredocs and templates that people write are read", () => {
  const text = `agent "worker" {
  run   = "claude"
  prime = {
    signal  = <<-SHELL
      echo "## Before ending"
      echo '  bd create --options '"'"'[{"id":"a"}]'"'"
    SHELL
  }
  prompt = <<-PROMPT
    \${file(".oj/prompts/worker.md")}

    - **Stuck**: say --context '{"blocker":"...","tried":[...]}'
  PROMPT
}
decision_template "checkpoint" {
  required_context = ["progress", "next_steps"]
  option "continue" { description = "Keep going" recommended = true }
  option "stop"     { description = "Stop work" }
}
job "j" {
  step "mid-check" {
    decision {
      template = "checkpoint"
      fields   = { progress = "half", next_steps = ["the rest"] }
    }
  }
}`;
  const { agents } = runbookOf(text, { ".oj/prompts/worker.md": { text: "You work." } });
  assert.deepEqual(agents[0]?.prime.signal, [
    `echo "## Before ending"\necho '  bd create --options '"'"'[{"id":"a"}]'"'"\n`,
  ]);
  assert.equal(
    agents[0]?.prompt,
    `You work.\n\n- **Stuck**: say --context '{"blocker":"...","tried":[...]}'\n`,
  );
});

describe("problems of several files", () => {
  const job = (name: string, run: string) => `job "${name}" { step "s" { run = ${run} } }\n`;
  const parsed = (files: Record<string, string>) =>
    Object.entries(files).map(([path, text]) => parseFile(path, text));

  it("are about a file's own text, not about another file's mistakes", () => {
    const { problems, runbook } = compile(
      parsed({ "a.hcl": job("a", '{ job = "b" }'), "b.hcl": job("b", "5"), "c.hcl": "§" }),
    );
    assert.deepEqual(messagesOf(problems), [
      'b.hcl:1 run must be a shell script, { agent = "…" } or { job = "…" }, not a number',
      "c.hcl:1 unexpected character § (U+00A7)",
    ]);
    assert.deepEqual(
      runbook.jobs.map((it) => it.kind),
      ["a"],
    );
  });

  it("are found across files", () => {
    const { problems } = compile(
      parsed({ "a.hcl": job("a", '{ job = "b" }'), "b.hcl": job("b", '{ job = "a" }') }),
    );
    assert.deepEqual(messagesOf(problems), ['b.hcl:1 job "a" runs itself: a → b → a']);
  });

  it("are at most fifty for each, plus the number of the rest", () => {
    const text = Array.from({ length: 60 }, (_, index) => `agent "a${index}" { run = 5 }`).join("\n");
    const { problems } = compile(parsed({ "a.hcl": text, "b.hcl": text.replaceAll('"a', '"b') }));
    assert.deepEqual(
      [problems.length, problems[50]?.message, problems[101]?.message],
      [102, "and 10 more", "and 10 more"],
    );
  });
});

it("a step that an option of a template leads to does not stand aside", () => {
  const rest = `step "ask" { decision { template = "verdict" } }
    step "fix" { run = "x" }
    step "ship" { run = "x" }`;
  const { jobs } = runbookOf(`
    decision_template "verdict" {
      prompt_hint = "What now?"
      option "fix" { step = "fix" }
      option "ship" { step = "ship" }
    }
    job "j" {
      step "test" {
        run     = "x"
        on_fail = "fix"
      }
      ${rest}
    }`);
  const [def] = jobs;
  if (!def) throw new Error("no job");
  assert.deepEqual([nextInOrder(def, "ask"), nextInOrder(def, "fix")], ["fix", "ship"]);
});
