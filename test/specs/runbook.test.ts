import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { tempProject } from "./support/project.ts";
import { FAIL, RELEASE } from "./support/runbooks.ts";

const BROKEN = `job "a" {
  step "one" {
    run = "true"
    on_fial = { step = "two" }
  }
  step "two" { decision { template = "nope" } }
}
`;

interface Checked {
  files: string[];
  problems: { path: string; line: number; column: number; message: string }[];
}

describe("oj runbook check", () => {
  also("says so when there are no problems, with the number of files and commands", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": RELEASE, ".oj/runbooks/b.hcl": FAIL });
    const { stdout, code } = await project.run("runbook", "check");
    assert.equal(stdout, "✓ 2 files, 2 commands, no problems\n");
    assert.equal(code, 0);
  });

  it("shows every problem with its place, its line, a caret and a hint", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": BROKEN });
    const { stdout, code } = await project.run("runbook", "check");
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^✗ \.oj\/runbooks\/a\.hcl:4:5 {2}.*on_fial.*\n {2}4 \| {5}on_fial = .*\n {10}\^{7}\n {2}→ did you mean "on_fail"\?\n/,
    );
    assert.match(stdout, /✗ \.oj\/runbooks\/a\.hcl:6:\d+ {2}.*"nope"/);
    assert.match(stdout, /\n\d+ problems in 1 of 1 file\n$/);
  });

  also("gives files and problems as JSON", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": BROKEN });
    const { stdout, code } = await project.run("runbook", "check", "-o", "json");
    const { files, problems } = JSON.parse(stdout) as Checked;
    assert.deepEqual(files, [".oj/runbooks/a.hcl"]);
    assert.deepEqual([problems[0]?.line, problems[0]?.column], [4, 5]);
    assert.equal(code, 1);
  });

  also("checks the given files, from any folder of the project", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": BROKEN, "elsewhere/b.hcl": FAIL });
    const { stdout, code } = await project.run("runbook", "check", "elsewhere/b.hcl");
    assert.equal(stdout, "✓ 1 file, no problems\n");
    assert.equal(code, 0);
    const { files } = await project.json<Checked>("runbook", "check", "elsewhere/b.hcl");
    assert.equal(files.length, 1);
  });

  also("says so when a file can't be read", async () => {
    const project = await tempProject();
    const { stdout, stderr, code } = await project.run("runbook", "check", "missing.hcl");
    assert.match(stdout + stderr, /missing\.hcl/);
    assert.equal(code, 1);
  });

  it("shows binary and hostile text safely", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": "job \u001b[2J\u0000\u202e {\n" });
    const { stdout, code } = await project.run("runbook", "check");
    assert.ok(!/[^\P{C}\n]/u.test(stdout), JSON.stringify(stdout));
    assert.equal(code, 1);
  });

  also("says what to do when there is no runbook", async () => {
    const project = await tempProject();
    const { stdout, stderr, code } = await project.run("runbook", "check");
    assert.equal(stdout + stderr, "there are no runbooks in .oj/runbooks\n  → oj init\n");
    assert.equal(code, 0);
  });
});

describe("oj runbook list", () => {
  also("shows the commands with their files, and the files that can't be read", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": RELEASE, ".oj/runbooks/broken.hcl": BROKEN });
    const { stdout, stderr, code } = await project.run("runbook", "list");
    assert.equal(
      stdout,
      "COMMAND  FILE                  WHAT IT DOES\nrelease  .oj/runbooks/a.hcl:2  Test, ask, publish\n",
    );
    assert.match(stderr, /✗ \.oj\/runbooks\/broken\.hcl:4:5 /);
    assert.equal(code, 0);
  });
});
