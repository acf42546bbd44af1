/** A script that bash can't parse never starts: no job, no agent, no decision; a person is told where it is and why. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { tempProject } from "./support/project.ts";

const RUNBOOKS: [where: string, runbook: string, place: string][] = [
  ["a command", `command "go" {\n  run = "echo one; fi"\n}`, "2:10"],
  [
    "a later step",
    `command "go" { run = { job = "j" } }\njob "j" {\n  step "a" { run = "touch ran" }\n  step "b" {\n    run = <<-E\n      if true\n      then\n    E\n  }\n}`,
    "7:7",
  ],
  [
    "a context",
    `command "go" { run = { job = "j" } }\njob "j" {\n  step "ask" {\n    decision {\n      prompt = "?"\n      context = "cat 'plan"\n      option "a" {}\n    }\n  }\n}`,
    "6:18",
  ],
  [
    "a gate",
    `command "go" { run = { agent = "a" } }\nagent "a" {\n  run = "true"\n  on_signal = { action = "gate", run = "npm test )" }\n}`,
    "4:41",
  ],
  [
    "a prime",
    `command "go" { run = { agent = "a" } }\nagent "a" {\n  run = "true"\n  prime = { signal = ["true", "do done"] }\n}`,
    "4:32",
  ],
];

describe("a script that bash can't parse", () => {
  it.each(RUNBOOKS)(
    "in %s is refused by check and by run, with its place, and nothing starts",
    async (_, text, place) => {
      const project = await tempProject({ ".oj/runbooks/go.hcl": text });
      const words = `.oj/runbooks/go.hcl:${place}  bash can't parse this: `;
      const check = await project.run("runbook", "check");
      assert.equal(check.code, 1);
      assert.ok(check.stdout.includes(words), check.stdout);
      const run = await project.run("run", "go");
      assert.equal(run.code, 1);
      assert.match(run.stderr, /"go" can't be run: its runbook has a problem/);
      assert.ok(run.stderr.includes(words), run.stderr);
      assert.match(run.stderr, /→ oj runbook check/);
      assert.deepEqual(await project.json("job", "list"), []);
      assert.deepEqual(await project.json("agent", "list"), []);
      assert.deepEqual(await project.json("decision", "list", "--all"), []);
    },
  );

  it("runs once it is fixed, on the daemon that refused it", async () => {
    const project = await tempProject({ ".oj/runbooks/go.hcl": `command "go" { run = "echo one; fi" }` });
    assert.equal((await project.run("run", "go", "--wait")).code, 1);
    project.write({ ".oj/runbooks/go.hcl": `command "go" { run = "if true; then echo one; fi" }` });
    assert.equal((await project.run("run", "go", "--wait")).code, 0);
  });
});
