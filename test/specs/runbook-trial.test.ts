import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { tempProject } from "./support/project.ts";

const RUNBOOK = `command "fix" {
  args = "<what>"
  run  = { job = "fix" }
}
command "watch" {
  run = { agent = "fixer" }
}
job "fix" {
  vars = ["what"]
  step "work" { run = { agent = "fixer" } }
  step "ship" { run = "touch shipped" }
}
agent "fixer" {
  run     = "claude"
  prompt  = "Fix it"
  on_idle = { action = "gate", run = "npm test", attempts = 2 }
}
`;

const GOOD = `test "the gate fails twice, then a person skips it" {
  run   = "fix 'the cart'"
  agent "fixer" { does = ["done", "done", "done"] }
  shell "npm test" { exits = [1, 1, 1] }
  expect { decision = { source = "gate", title = "Gate failed*" } }
  answer { choice = "skip" }
  expect { job = "completed"  within = "10m" }
}
`;

const BAD = `test "it asks <something>" {
  run = "fix cart"
  expect { decision = { source = "question" } }
}
`;

const withTests = (tests: Record<string, string>) =>
  tempProject({
    ".oj/runbooks/fix.hcl": RUNBOOK,
    ...Object.fromEntries(Object.entries(tests).map(([name, text]) => [`.oj/tests/${name}`, text])),
  });

describe("oj runbook test", () => {
  it("passes what comes as expected, runs nothing, and needs no daemon", async () => {
    const project = await withTests({ "a.hcl": GOOD });
    const { stdout, stderr, code } = await project.run("runbook", "test");
    assert.match(stdout, /^✓ the gate fails twice, then a person skips it {2}34s\n1 test, none failed\n$/);
    assert.deepEqual([stderr, code], ["", 0]);
    assert.equal(fs.existsSync(path.join(project.dir, "shipped")), false);
    assert.equal(fs.existsSync(path.join(project.env.OJ_STATE_DIR ?? "", "oj.sock")), false);
  });

  it("says where a test failed, with the timeline, and exits with 1", async () => {
    const project = await withTests({ "a.hcl": GOOD, "b.hcl": BAD });
    const { stdout, code } = await project.run("runbook", "test");
    assert.equal(code, 1);
    assert.match(
      stdout,
      /✗ it asks <something> {2}\.oj\/tests\/b\.hcl:3\n {4}expected a decision with source "question"/,
    );
    assert.match(stdout, /10s {2}fixer ended its turn: "Done\."\n {2}11s {2}gate passed\n/);
    assert.match(stdout, /2 tests, 1 failed\n$/);
    const one = await project.run("runbook", "test", "the gate fails twice, then a person skips it");
    assert.deepEqual([one.code, /1 test, none failed/.test(one.stdout)], [0, true]);
    assert.equal((await project.run("runbook", "test", ".oj/tests/b.hcl")).code, 1);
  });

  also("writes JUnit and JSON for CI", async () => {
    const project = await withTests({ "a.hcl": GOOD, "b.hcl": BAD, "c.hcl": "test {\n" });
    const xml = await project.run("runbook", "test", "-o", "junit");
    assert.equal(xml.code, 1);
    assert.match(xml.stdout, /<testsuites tests="3" failures="1" errors="1">/);
    assert.match(xml.stdout, /<testcase name="the gate fails twice, then a person skips it" [^>]*\/>/);
    assert.match(
      xml.stdout,
      /<testcase name="it asks &lt;something&gt;" [^>]*>\n\s+<failure message="expected/,
    );
    assert.match(xml.stdout, /<testcase name="\.oj\/tests\/c\.hcl"[^>]*>\n\s+<error message=/);
    const json = await project.run("runbook", "test", "-o", "json");
    const { tests, problems } = JSON.parse(json.stdout) as {
      tests: { name: string; ok: boolean; problem: { line: number } | null }[];
      problems: { path: string }[];
    };
    assert.deepEqual(
      tests.map((it) => [it.ok, it.problem?.line ?? null]),
      [
        [true, null],
        [false, 3],
      ],
    );
    assert.deepEqual([problems[0]?.path, json.code], [".oj/tests/c.hcl", 1]);
  });

  also("refuses what it can't find or play, with exit 1", async () => {
    const project = await withTests({
      "a.hcl": `${GOOD}test "no such" { run = "fx cart" }\ntest "a crew" { run = "watch" }\n`,
    });
    const unknown = await project.run("runbook", "test", "no suhc");
    assert.match(unknown.stderr, /there is no test "no suhc" in \.oj\/tests; did you mean "no such"\?/);
    assert.equal(unknown.code, 1);
    const { stdout, code } = await project.run("runbook", "test");
    assert.equal(code, 1);
    assert.match(stdout, /✗ no such .*\n {4}no runbook here has a command "fx"\n/);
    assert.match(stdout, /✗ a crew .*\n {4}"watch" starts a crew: only jobs can be played\n/);
    fs.mkdirSync(path.join(project.dir, ".oj/tests/dir.hcl")); // the others run all the same
    const odd = await project.run("runbook", "test");
    assert.match(
      odd.stdout,
      /✗ \.oj\/tests\/dir\.hcl:1:1 {2}can't be read: it is not a file\n[\s\S]*3 tests, 2 failed, 1 problem\n$/,
    );
    const none = await (await withTests({})).run("runbook", "test");
    assert.deepEqual([none.stdout, none.code], ["there are no tests in .oj/tests\n", 1]);
  });
});

describe("oj runbook simulate", () => {
  also("shows the timeline with each decision as a card, and how it ended", async () => {
    const project = await withTests({});
    project.write({
      "worst.hcl": 'agent "fixer" { does = ["runs: rm -rf build"] }\nanswer { choice = "deny" }\n',
    });
    const { stdout, code } = await project.run("runbook", "simulate", "fix", "cart", "--script", "worst.hcl");
    assert.match(stdout, /asked\n\n.*Bash: rm -rf build\n/);
    assert.match(stdout, /answered: Deny\n/);
    assert.match(stdout, /✓ completed after 22s of virtual time\n$/);
    assert.equal(code, 0);
  });

  it("prints the same bytes for the same seed, and exits with 1 if the job did not complete", async () => {
    const project = await withTests({});
    const codes = new Set<number>();
    for (let seed = 1; seed <= 6; seed++) {
      const [one, two] = await Promise.all(
        [1, 2].map(() => project.run("runbook", "simulate", "fix", "cart", "--seed", String(seed))),
      );
      assert.equal(one?.stdout, two?.stdout);
      assert.equal(one?.code === 0, /✓ completed after/.test(one?.stdout ?? ""));
      codes.add(one?.code ?? -1);
    }
    assert.deepEqual([...codes].sort(), [0, 1]);
  });

  also(
    "refuses a script with problems, a command that isn't there, and a seed that is no number",
    async () => {
      const project = await withTests({});
      project.write({ "bad.hcl": 'agent "fixer" { does = ["sleeps"] }\n' });
      for (const [args, code, words] of [
        [["fix", "cart", "--script", "bad.hcl"], 1, /bad\.hcl:1 {2}an agent can't "sleeps"/],
        [["fix", "cart", "--script", "none.hcl"], 1, /none\.hcl:1 {2}can't be read/],
        [["fx"], 1, /did you mean "oj run fix"/],
        [["fix", "cart", "--seed", "x"], 2, /--seed takes a number/],
        [["fix"], 2, /fix can't start/],
      ] as const) {
        const result = await project.run("runbook", "simulate", ...args);
        assert.equal(result.code, code, result.stderr);
        assert.match(result.stderr, words);
      }
    },
  );
});
