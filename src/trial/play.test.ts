import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { argsOf, commandNamed } from "../daemon/runbooks/command.ts";
import { bundleOf } from "../daemon/runbooks/library.ts";
import { compile, parseFile } from "../runbook/compile.ts";
import { readTrials } from "../runbook/trials.ts";
import { fits } from "./expectation.ts";
import type { HowToPlay, Played } from "./play.ts";
import { play } from "./play.ts";
import { hopeful, scripted } from "./script.ts";

const RUNBOOK = `
command "fix" {
  args = "<what>"
  run  = { job = "fix" }
}
job "fix" {
  vars      = ["what"]
  workspace = "folder"
  step "work" { run = { agent = "fixer" } }
  step "check" {
    run     = "npm test"
    on_fail = { step = "ask" }
  }
  step "ship" { run = "npm publish" }
  step "ask" {
    decision {
      prompt   = "Ship \${var.what} all the same?"
      deadline = "30d"
      default  = "stop"
      option "ship" { step = "ship" }
      option "stop" {
        action     = "cancel"
        reversible = true
      }
    }
  }
}
agent "fixer" {
  run      = "claude"
  prompt   = "Fix it"
  on_idle  = { action = "escalate" }
  on_dead  = { action = "escalate" }
  on_error = { action = "escalate" }
}
`;

function howToPlay(more: Partial<HowToPlay> & { test?: string } = {}, runbook = RUNBOOK): HowToPlay {
  const compiled = compile([parseFile("fix.hcl", runbook)]);
  assert.deepEqual(compiled.problems, []);
  const command = commandNamed({ ...compiled, files: [] }, "fix");
  const { def, library } = bundleOf(compiled.runbook, command);
  const args = argsOf(command, ["cart"], {}, { env: {}, dir: "/p" });
  const { test, ...rest } = more;
  const read = readTrials("t.hcl", `test "t" {\nrun = "fix cart"\n${test ?? ""}\n}`);
  assert.deepEqual(read.problems, []);
  const place = { project: "p", env: {}, invoke: "/p", root: "/p", by: "you" };
  const limits = { max_entries: 5, context_timeout_ms: 1000, context_max_bytes: 1000 };
  return {
    job: { id: "job-1", def, library, args, vars: { what: "cart" }, ...place, ...limits },
    script: test === undefined ? null : (read.trials[0] ?? null),
    seed: null,
    toTheEnd: false,
    hungAfterMs: 600_000,
    ...rest,
  };
}

const texts = ({ story }: Played) => story.map((it) => it.text);

describe("each thing that an agent can do brings its decision", () => {
  for (const [deed, source, title] of [
    ["done: All is fixed.", "idle", "*"],
    ["asks: Which one? | a | b", "question", "Which one?"],
    ["runs: npm install", "approval", "*npm install*"],
    ["writes: a.txt", "approval", "*a.txt*"],
    ["plans: 1. Look", "plan", "*"],
    ["fails: overloaded", "error", "*overloaded*"],
    ["dies", "dead", "*exit code 1*"],
    ["dies: 137", "dead", "*exit code 137*"],
    ["signals: escalate: I am lost", "idle", "*I am lost*"],
    ["hangs", "idle", "Hung*"],
  ])
    it(`${deed}`, async () => {
      const expected = `expect { decision = { source = "${source}", title = "${title}" } }`;
      const test = `agent "fixer" { does = ["works: 5m", "${deed}"] }\n${expected}`;
      const played = await play(howToPlay({ test }));
      assert.deepEqual([played.problem, played.took_ms >= 300_000], [null, true], texts(played).join("\n"));
    });

  it("signals: done ends the step, signals: fail fails the job", async () => {
    for (const [deed, status] of [
      ["signals: done", "completed"],
      ["signals: fail: no way", "failed"],
    ]) {
      const test = `agent "fixer" { does = ["${deed}"] }\nexpect { job = "${status}" }`;
      assert.equal((await play(howToPlay({ test }))).problem, null);
    }
  });
});

describe("a test", () => {
  it("says what never came, where it was expected, and how things stood", async () => {
    const test = `agent "fixer" { does = ["signals: done"] }\nshell "npm test" { exits = [1] }\nexpect { job = "completed" }`;
    const { problem } = await play(howToPlay({ test }));
    assert.equal(problem?.line, 5);
    // the deadline of the question comes first: its default cancels the job
    assert.match(problem?.text ?? "", /^expected the job completed, which never came: the job is cancelled/);
  });

  it("lets no more time pass than it may take", async () => {
    const test = (within: string) =>
      `agent "fixer" { does = ["signals: done"] }\nshell "npm test" { exits = [1] }
       expect { decision = { source = "step" } }\nexpect {\n job = "cancelled"\n within = "${within}"\n}`;
    assert.match((await play(howToPlay({ test: test("29d") }))).problem?.text ?? "", /within 29d/);
    const played = await play(howToPlay({ test: test("31d") }));
    assert.deepEqual([played.problem, played.status], [null, "cancelled"]);
    assert.equal(texts(played).at(-1), "job cancelled");
  });

  it("meets each decision once, and answers the one it met", async () => {
    const test = `
      agent "fixer" { does = ["runs: rm a", "runs: rm b", "signals: done"] }
      expect { decision = { title = "*rm*" } }
      expect { decision = { title = "*rm*" } }`;
    assert.match((await play(howToPlay({ test }))).problem?.text ?? "", /never came.*pending: approval/);
    const answered = test.replace('"*rm*" } }\n', '"*rm*" } }\nanswer { choice = "Approve" }\n');
    assert.equal((await play(howToPlay({ test: answered }))).problem, null);
  });

  it("fails where an answer is refused, with the reason", async () => {
    const test = `agent "fixer" { does = ["runs: rm a"] }\nanswer { choice = "aprove" }`;
    const { problem } = await play(howToPlay({ test }));
    assert.equal(problem?.line, 4);
    assert.match(problem?.text ?? "", /has no option "aprove"; did you mean "approve"\?/i);
  });

  it("answers by key, label, number or own words, and with a message", async () => {
    for (const answer of [
      'choice = "a"',
      'choice = "A"',
      "choice = 1",
      'text = "neither"',
      'choice = "b"\nmessage = "x"',
    ]) {
      const test = `agent "fixer" { does = ["asks: Which? | a | b", "signals: done"] }\nanswer {\n${answer}\n}\nexpect { job = "completed" }`;
      assert.equal((await play(howToPlay({ test }))).problem, null, answer);
    }
  });

  it("knows a script by its text in the runbook as well as by what is run", async () => {
    const script = { agents: {}, shells: [{ part: "cp ${var.a} b", exits: [3], prints: "" }] };
    const filled = { text: 'export -n OJ_V0; cp "${OJ_V0}" b', written: "cp ${var.a} b", prints: "" };
    assert.equal(scripted(script, hopeful).shell(filled).exit_code, 3);
    const published = RUNBOOK.replace('"npm publish"', '"npm publish ${var.what}"');
    const test =
      'agent "fixer" { does = ["signals: done"] }\nshell "publish ${var.what}" { exits = [1] }\nexpect { job = "failed" }';
    assert.equal((await play(howToPlay({ test }, published))).problem, null);
  });

  it("leaves unused entries alone, and what it doesn't say ends well", async () => {
    const test = `agent "fixer" { does = ["signals: done", "dies"] }\nshell "npm test" { exits = [0, 1] }\nexpect { job = "completed" }`;
    assert.equal((await play(howToPlay({ test }))).problem, null);
  });
});

describe("a simulation", () => {
  it("goes to the end by what is recommended", async () => {
    const { status, stuck, problem } = await play(howToPlay({ toTheEnd: true }));
    assert.deepEqual({ status, stuck, problem }, { status: "completed", stuck: null, problem: null });
  });

  it("gets past a template that requires what a script would print", async () => {
    const template =
      'decision_template "t" {\n required_context = { a = {}, b = { min = 2 } }\n option "go" {}\n}';
    const steps = `step "x" { run = "npm test" }
      step "fields" { decision {
        template = "t"
        fields   = { a = "\${step.x.output}", b = ["1", "2"] }
      } }
      step "printed" { decision {
        template = "t"
        context  = "npm run report"
      } }`;
    const runbook = `${template}\ncommand "fix" {\n args = "<what>"\n run = { job = "j" }\n}\njob "j" {\n${steps}\n}`;
    const { job, ...rest } = howToPlay({ toTheEnd: true }, runbook);
    const played = await play({ ...rest, job: { ...job, vars: {} } });
    assert.equal(played.status, "completed", texts(played).join("\n"));
  });

  it("ends for any seed, and is the same for the same seed", async () => {
    const ends = new Set<string>();
    for (let seed = 0; seed < 60; seed++) {
      const [one, two] = [
        await play(howToPlay({ toTheEnd: true, seed })),
        await play(howToPlay({ toTheEnd: true, seed })),
      ];
      assert.deepEqual(one, two, `seed ${seed}`);
      assert.equal(one.stuck, null, `seed ${seed}\n${texts(one).join("\n")}`);
      ends.add(one.status);
    }
    assert.deepEqual([...ends].sort(), ["cancelled", "completed", "failed"]);
  });
});

describe("a pattern", () => {
  for (const [text, pattern, is] of [
    ["Gate failed: npm test", "Gate failed*", true],
    ["Gate failed", "Gate failed*", true],
    ["A gate failed", "Gate failed*", false],
    ["abc", "a*b*c", true],
    ["ac", "a*b*c", false],
    ["aa", "a*a", true],
    ["a", "a*a", false],
    ["a.c", "a.c", true],
    ["abc", "a.c", false],
    ["anything", "*", true],
    ["", "*", true],
  ] as const)
    it(`${pattern} ${is ? "fits" : "does not fit"} "${text}"`, () => assert.equal(fits(text, pattern), is));
});
