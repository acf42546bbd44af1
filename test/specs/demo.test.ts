import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Job } from "./support/views.ts";

/** Everything of the tour is made in a folder of its own below this one. */
async function withTemp(): Promise<{ project: Project; left: () => string[] }> {
  const project = await tempProject({ "tmp/keep": "" });
  const folder = path.join(project.dir, "tmp");
  project.env.TMPDIR = folder;
  return { project, left: () => fs.readdirSync(folder).filter((it) => it !== "keep") };
}

describe("oj demo", () => {
  it("runs a job that asks, answers itself where nobody is, and leaves nothing", async () => {
    const { project, left } = await withTemp();
    const { stdout, stderr, code } = await project.run("demo");
    assert.equal(code, 0, stderr);
    for (const line of [
      /^\$ oj run release 1\.2\.0$/m,
      /^\$ kill -9 \d+$/m,
      /^ {2}1 {2}★ Ship it {2}recommended$/m,
      /^The tour answers by itself here\./m,
      /^ {2}✓ publish /m,
      /^note: go ahead, the numbers are right$/m,
      /^The job completed\. /m,
    ])
      assert.match(stdout, line);
    assert.deepEqual(left(), []);
    assert.equal(await project.daemonPid(), null, "the person's own daemon was not touched");
    assert.equal(fs.existsSync(project.stateDir), false);
  });

  it("gives its result as JSON, with the tour as talk", async () => {
    const { project } = await withTemp();
    const { job } = await project.json<{ job: Job }>("demo");
    assert.equal(job.status, "completed");
  });

  it("works without git", async () => {
    const { project } = await withTemp();
    const bin = path.join(project.dir, "bin");
    fs.mkdirSync(bin);
    const found = (project.env.PATH ?? "")
      .split(":")
      .flatMap((it) => (fs.existsSync(path.join(it, "bash")) ? [it] : []));
    for (const name of ["bash", "sh", "sleep", "cat", "env", "mkdir", "kill"]) {
      const from = found.map((it) => path.join(it, name)).find((it) => fs.existsSync(it));
      if (from) fs.symlinkSync(from, path.join(bin, name));
    }
    project.env.PATH = bin;
    const { stdout, stderr, code } = await project.run("demo");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /│ 1\.2\.0: the cart counts prices, not items/);
  });

  it("leaves nothing when it is interrupted, wherever it is", async () => {
    for (const mark of ["$ cat .oj/runbooks", "$ oj run", "$ oj status", "$ kill -9"]) {
      const { project, left } = await withTemp();
      const running = project.start("demo");
      await project.until(() => running.stdout().includes(mark));
      running.kill("SIGINT");
      const { code } = await running.ended;
      assert.ok(code === 130 || code === 0, `${code}`);
      await project.until(() => left().length === 0, "everything is removed");
    }
  });
});
