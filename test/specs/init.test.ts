import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { tempProject } from "./support/project.ts";
import type { Job } from "./support/views.ts";

describe("oj init", () => {
  it("writes a runbook without problems that runs to its end, with or without git", async () => {
    for (const git of [false, true]) {
      const project = await tempProject();
      if (git) execFileSync("git", ["init", "-q"], { cwd: project.dir, env: project.env });
      const { stdout, stderr, code } = await project.run("init");
      assert.equal(
        stdout,
        "✓ wrote .oj/runbooks/starter.hcl\n✓ wrote .oj/tests/starter.hcl\n✓ wrote .oj/config.toml\n",
      );
      assert.equal(stderr, "  → oj run greet Ana\n");
      assert.equal(code, 0);
      assert.equal((await project.run("runbook", "check")).stdout, "✓ 1 file, 1 command, no problems\n");
      const tests = await project.run("runbook", "test");
      assert.match(
        tests.stdout,
        /^✓ a greeting is rewritten.*\n✓ a greeting that can't.*\n2 tests, none failed\n$/,
      );

      const { job_id } = await project.json<{ job_id: string }>("run", "greet", "Ana");
      const show = () => project.json<Job>("job", "show", job_id);
      const decision = await project.until(async () => (await show()).pending_decision);
      assert.match((await project.run("decision", "show", decision)).stdout, /│ Hello, Ana!\n/);
      await project.run("decision", "resolve", decision, "2");
      const again = await project.until(async () => {
        const next = (await show()).pending_decision;
        return next !== decision && next;
      });
      await project.run("decision", "resolve", again, "1", "-m", "with love");
      assert.equal((await project.run("job", "wait", job_id)).code, 0);
      assert.match(
        (await project.run("job", "logs", job_id)).stdout,
        /sent, as ana chose: Send it\nnote: with love\n/,
      );
    }
  });

  it("never overwrites a file, and says which ones it left", async () => {
    const project = await tempProject({ ".oj/runbooks/starter.hcl": "# mine\n" });
    const { stdout, code } = await project.run("init");
    assert.equal(
      stdout,
      "✓ wrote .oj/config.toml\n– .oj/runbooks/starter.hcl already exists and was left alone\n",
    );
    assert.equal(code, 0);
    assert.equal(fs.readFileSync(path.join(project.dir, ".oj/runbooks/starter.hcl"), "utf8"), "# mine\n");
    assert.deepEqual((await project.json<{ written: string[] }>("init")).written, []);
  });

  also("refuses flags that belong to oj init claude", async () => {
    const project = await tempProject();
    const { stderr, code } = await project.run("init", "--remove");
    assert.match(stderr, /^✗ these flags need a client: claude, codex/);
    assert.equal(code, 2);
    assert.equal(fs.existsSync(path.join(project.dir, ".oj")), false);
  });

  also("names a project after its folder, whatever the folder is called", async () => {
    const project = await tempProject({ 'a "b"/c/keep': "" });
    fs.mkdirSync(path.join(project.dir, 'a "b"/.git'));
    const odd = path.join(project.dir, 'a "b"');
    const oj = path.join(import.meta.dirname, "../../dist/oj.cjs");
    execFileSync(process.execPath, [oj, "init"], {
      cwd: path.join(odd, "c"),
      env: project.env,
      stdio: "ignore",
    });
    assert.match(fs.readFileSync(path.join(odd, ".oj/config.toml"), "utf8"), /^name = "a \\"b\\""$/m);
    execFileSync(process.execPath, [oj, "doctor"], { cwd: odd, env: project.env, stdio: "ignore" });
  });
});
