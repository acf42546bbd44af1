import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { tempProject } from "./support/project.ts";
import { FAIL, HOLD, RELEASE } from "./support/runbooks.ts";

interface Decision {
  id: string;
  title: string;
}

describe("oj run", () => {
  it("starts a job, prints its id, and says what to type next", async () => {
    const project = await tempProject({ ".oj/runbooks/release.hcl": RELEASE });
    const { stdout, stderr, code } = await project.run("run", "release", "1.0");
    assert.match(stdout, /^job-[2-9a-z]{10}\n$/);
    assert.equal(stderr, `  → oj job logs ${stdout.trim()} -f\n`);
    assert.equal(code, 0);
  });

  also("gives the job id as JSON", async () => {
    const project = await tempProject({ ".oj/runbooks/release.hcl": RELEASE });
    const result = await project.json<{ job_id: string }>("run", "release", "1.0");
    assert.deepEqual(Object.keys(result), ["job_id"]);
  });

  it("passes unknown flags on to the command, and takes values by name", async () => {
    const project = await tempProject({ ".oj/runbooks/release.hcl": RELEASE });
    const { job_id } = await project.json<{ job_id: string }>(
      "run",
      "release",
      "--note",
      "hi -x",
      "-a",
      "version=2=2",
    );
    const { vars } = await project.json<{ vars: Record<string, string> }>("job", "show", job_id);
    assert.deepEqual(vars, { version: "2=2", note: "hi -x" });
  });

  also("runs where it was called, with the environment of the shell", async () => {
    const runbook = `
      command "where" { run = "pwd; echo $COLOUR > colour.txt" }
    `;
    const project = await tempProject({ ".oj/runbooks/a.hcl": runbook }, { env: { COLOUR: "blue" } });
    const { stdout, code } = await project.run("run", "where", "--attach");
    assert.match(stdout, new RegExp(`^${project.dir}$`, "m"));
    assert.equal(fs.readFileSync(path.join(project.dir, "colour.txt"), "utf8"), "blue\n");
    assert.equal(code, 0);
  });

  it("with --wait stays, reports what happens, and says how to answer", async () => {
    const project = await tempProject({ ".oj/runbooks/release.hcl": RELEASE });
    await project.run("daemon", "start");
    const running = project.start("run", "release", "1.0", "--wait");
    const [decision] = await project.until(async () => {
      const all = await project.json<Decision[]>("decision", "list");
      return all.length > 0 && all;
    });
    assert.ok(decision);
    await project.until(() => /^job-\w+\n$/.test(running.stdout()), "its id, while it still runs");
    await project.until(() => running.stderr().includes(`oj decision resolve ${decision.id} <1-3>`));
    await project.run("decision", "resolve", decision.id, "1", "-m", "go");
    const { stdout, stderr, code } = await running.ended;
    assert.equal(code, 0);
    assert.match(
      stderr,
      /… test\n✓ test .*\n… ship\n⏸ ship {2}Ship 1\.0\?\n.*\n✓ ship {2}Ship it \(ana\): go\n… publish\n✓ publish/,
    );
    assert.match(stdout, /^(job-\w+)\n✓ \1 release\/1\.0 completed after /);
  });

  also("exits with the exit code of the job: failed, cancelled, timed out", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": FAIL + HOLD });
    const failed = await project.run("run", "fail", "--wait");
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /✗ bad {2}exit code 1\n {2}│ boom\n/);

    const late = await project.run("run", "hold", "--wait", "--timeout", "300ms");
    assert.equal(late.code, 5);
    assert.match(late.stderr, /did not end within 300ms\n {2}→ oj job show job-/);

    const [job] = await project.json<{ id: string }[]>("job", "list", "--status", "running");
    const waiting = project.start("job", "wait", job?.id ?? "");
    await project.run("job", "cancel", job?.id ?? "");
    assert.equal((await waiting.ended).code, 4);
  });

  also("with --attach shows the job's output, without obeying any of it", async () => {
    const runbook = String.raw`command "noisy" { run = "printf 'a\\033[2Jb\\n\\033[32mgreen\\033[0m\\n'" }`;
    const project = await tempProject({ ".oj/runbooks/a.hcl": runbook });
    const { stdout, code } = await project.run("run", "noisy", "--attach");
    assert.match(stdout, /^a␛\[2Jb\ngreen$/m);
    assert.equal(code, 0);
  });

  it("lists commands, and the runbooks that can't be read", async () => {
    const project = await tempProject({
      ".oj/runbooks/release.hcl": RELEASE,
      ".oj/runbooks/broken.hcl": 'job "x" {\n  stepp "a" {}\n}\n',
    });
    const { stdout, stderr, code } = await project.run("run");
    assert.equal(
      stdout,
      "oj run release <version> [--note <text>]\n    Test, ask, publish\n    .oj/runbooks/release.hcl:2\n",
    );
    assert.match(stderr, /✗ \.oj\/runbooks\/broken\.hcl:2:3 /);
    assert.equal(code, 0);
  });

  also("says what to do when there is nothing to run", async () => {
    const project = await tempProject();
    const { stdout, stderr } = await project.run("run");
    assert.equal(stdout + stderr, "no runbook in this project has a command\n  → oj init\n");
  });

  also("refuses an unknown command and suggests the one that was meant", async () => {
    const project = await tempProject({ ".oj/runbooks/release.hcl": RELEASE });
    const { stderr, code } = await project.run("run", "relaese", "1");
    assert.equal(stderr, '✗ no runbook here has a command "relaese"\n  → did you mean "oj run release"?\n');
    assert.equal(code, 1);
  });

  also("refuses missing arguments and shows the usage", async () => {
    const project = await tempProject({ ".oj/runbooks/release.hcl": RELEASE });
    const { stderr, code } = await project.run("run", "release");
    assert.match(stderr, /version/);
    assert.equal(code, 2);
  });

  for (const [name, args] of [
    ["a value without a name", ["-a", "x"]],
    ["a value given twice", ["-a", "x=1", "-a", "x=2"]],
    ["a time that is none", ["--wait", "--timeout", "soon"]],
    ["--attach with JSON", ["--attach", "-o", "json"]],
  ] as const) {
    it(`refuses ${name} as usage`, async () => {
      const project = await tempProject({ ".oj/runbooks/release.hcl": RELEASE });
      assert.equal((await project.run("run", "release", "1", ...args)).code, 2);
      assert.equal(await project.daemonPid(), null, "nothing was started");
    });
  }
});
