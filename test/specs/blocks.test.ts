/** Work that waits for a decision, as people see it: `--blocks`, `oj status`, `oj job show`, `oj job resume`. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

const runbook = {
  ".oj/runbooks/a.hcl": `
command "build" { run = { job = "build" } }
job "build" {
  step "make" { run = "until [ -e go ]; do sleep 0.02; done" }
  step "ship" { run = "echo x >> shipped" }
}`,
};

interface Job {
  id: string;
  status: string;
  blocked_by: { decision_id: string; step: string | null; state: string }[];
}

const shipped = ({ dir }: Project) => {
  const file = path.join(dir, "shipped");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").length / 2 : 0;
};
const jobOf = (project: Project, id: string) => project.json<Job>("job", "show", id);
const begin = async (project: Project) => (await project.json<{ job_id: string }>("run", "build")).job_id;
const ask = async (project: Project, ...flags: string[]) =>
  (
    await project.json<{ id: string }>(
      "decision",
      "request",
      "--prompt",
      "Ship?",
      "--option",
      "Yes",
      ...flags,
    )
  ).id;
const untilBlocked = (project: Project, id: string) =>
  project.until(async () => (await jobOf(project, id)).status === "waiting", "the blocked job");

describe("a decision that blocks a job", () => {
  it("stops it before its next step until it is answered, even if the daemon is killed; every view says who waits for what", async () => {
    const project = await tempProject(runbook);
    const job = await begin(project);
    const id = await ask(project, "--blocks", job.slice(0, 9), "--blocks", "PROJ-7");
    assert.equal((await jobOf(project, job)).status, "running");
    project.write({ go: "" });
    await untilBlocked(project, job);
    await killDaemon(project);
    assert.deepEqual((await jobOf(project, job)).blocked_by, [
      { decision_id: id, step: null, state: "pending", title: "Ship?" },
    ]);

    const status = (await project.run("status")).stdout;
    assert.match(status, new RegExp(`${job} +blocked .*build · ship +waiting for ${id}: Ship\\?`));
    assert.match(status, new RegExp(`${id} +asks .*Ship\\? +\\(blocks ${job}, PROJ-7\\)`));
    const show = (await project.run("job", "show", job)).stdout;
    assert.match(show, new RegExp(`no further step starts until ${id} is answered: Ship\\?`));
    assert.match(show, new RegExp(`→ oj decision show ${id}\\n.*oj job resume ${job}`));
    assert.match((await project.run("job", "list")).stdout, new RegExp(`waiting for ${id}: Ship\\?`));
    for (const blocked of ["PROJ-7", job, job.slice(0, 10)])
      assert.equal((await project.json<[]>("decision", "list", "--blocks", blocked)).length, 1, blocked);
    assert.deepEqual(await project.json("decision", "list", "--blocks", "PROJ-8"), []);

    assert.equal(shipped(project), 0);
    const { stdout } = await project.run("decision", "resolve", id, "1");
    assert.ok(stdout.includes(`no longer blocked: ${job}, PROJ-7`), stdout);
    assert.equal((await project.run("job", "wait", job)).code, 0);
    assert.equal(shipped(project), 1);
  });

  it("still blocks after it is withdrawn, and says how to continue", async () => {
    const project = await tempProject(runbook);
    const job = await begin(project);
    const id = await ask(project, "--blocks", `${job}/ship`);
    const waiting = project.start("decision", "await", id);
    project.write({ go: "" });
    await untilBlocked(project, job);
    const { stdout } = await project.run("decision", "cancel", id);
    const words = `still blocked: ${job}/ship (oj job resume ${job})`;
    assert.ok(stdout.includes(words), stdout);
    const ended = await waiting.ended;
    assert.deepEqual([ended.code, ended.stderr.includes(words)], [4, true], ended.stderr);
    assert.match(
      (await project.run("status")).stdout,
      new RegExp(`blocked by ${id}, which is withdrawn; continue with oj job resume ${job}`),
    );
    assert.equal(shipped(project), 0);
    assert.equal((await project.run("job", "resume", job)).code, 0);
    assert.equal((await project.run("job", "wait", job)).code, 0);
    assert.equal(shipped(project), 1);
  });

  also("stops blocking when it is withdrawn, if that was asked for", async () => {
    const project = await tempProject(runbook);
    const job = await begin(project);
    const id = await ask(project, "--blocks", job, "--on-cancel", "unblock");
    project.write({ go: "" });
    await untilBlocked(project, job);
    const { stdout } = await project.run("decision", "cancel", id);
    assert.ok(stdout.includes(`no longer blocked: ${job}`), stdout);
    assert.equal((await project.run("job", "wait", job)).code, 0);
  });

  also("is refused if it names no job, a job that has ended, or an unknown step", async () => {
    const project = await tempProject(runbook);
    project.write({ go: "" });
    const job = await begin(project);
    await project.run("job", "wait", job);
    const blocks = ["job-zzzz", job].flatMap((it) => ["--blocks", it]);
    const { code, stderr } = await project.run(
      ...["decision", "request", "--prompt", "Ship?", "--option", "Yes", ...blocks],
    );
    assert.equal(code, 1);
    assert.match(stderr, /--blocks job-zzzz is not a job/);
    assert.match(stderr.replace(/\s+/g, " "), /it has completed, so nothing in it can wait/);
    assert.deepEqual(await project.json("decision", "list"), []);
  });
});
