import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { isGone, killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Job } from "./support/views.ts";

const RUNBOOK = `
command "work" { run = { job = "work" } }
job "work" {
  step "sit" {
    run     = "sleep 600 & echo $! >>children; echo $$ >>began; sleep 600"
    on_fail = { step = "mend" }
  }
  step "mend" { run = "echo mended >>mended" }
}

command "ask" { run = { job = "ask" } }
job "ask" {
  step "choose" {
    decision {
      prompt  = "Which way?"
      context = "echo $$ >>began; [ -e go ] || sleep 600; echo here you are"
      option "left" { step = "left" }
      option "right" { step = "right" }
    }
  }
  step "left" { run = "echo left >>went" }
  step "right" { run = "echo right >>went" }
}

command "plain" { run = { job = "plain" } }
job "plain" {
  step "choose" {
    decision {
      prompt = "Go on?"
      option "yes" {}
    }
  }
  step "after" { run = "echo went on" }
}
`;

interface Decision {
  id: string;
  title: string;
  context: string;
  state: string;
  delivery: { state: string };
}

const lines = (project: Project, name: string): string[] => {
  try {
    return fs.readFileSync(path.join(project.dir, name), "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
};
const make = () => tempProject({ ".oj/runbooks/crash.hcl": RUNBOOK });
const start = async (project: Project, command: string) =>
  (await project.json<{ job_id: string }>("run", command)).job_id;

describe("after kill -9", () => {
  it("a running step has failed, its processes are gone, and on_fail was taken", async () => {
    const project = await make();
    const id = await start(project, "work");
    await project.until(() => lines(project, "began").length === 1, "the step");
    await killDaemon(project);
    const [pid, child] = [lines(project, "began"), lines(project, "children")].map((it) => Number(it[0]));
    assert.equal(isGone(pid ?? 0), false, "the step outlives its daemon");
    const ended = await project.run("job", "wait", id);
    assert.equal(ended.code, 1, ended.stderr);
    const job = await project.json<Job>("job", "show", id);
    assert.deepEqual(
      job.steps.map((it) => `${it.name}:${it.status}`),
      ["sit:failed", "mend:completed"],
    );
    assert.match(job.steps[0]?.error ?? "", /^interrupted: the daemon ended while this step was running/);
    assert.equal(lines(project, "began").length, 1, "it was not run again");
    assert.deepEqual(lines(project, "mended"), ["mended"]);
    await project.until(() => isGone(pid ?? 0) && isGone(child ?? 0), "the end of the step's processes");
    assert.match((await project.run("job", "logs", id)).stdout, /sit: interrupted: the daemon ended/);
  });

  it("a step is not run again even if the whole machine went down and lost the mark that it had begun", async () => {
    const project = await make();
    const id = await start(project, "work");
    await project.until(() => lines(project, "began").length === 1, "the step");
    await killDaemon(project);
    process.kill(-Number(lines(project, "began")[0]), "SIGKILL");
    fs.rmSync(path.join(project.stateDir, "runs"), { recursive: true });
    fs.writeFileSync(path.join(project.stateDir, "boot"), "another start of this machine\n");
    assert.equal((await project.run("job", "wait", id)).code, 1);
    assert.equal(lines(project, "began").length, 1, "it was not run again");
    assert.deepEqual(lines(project, "mended"), ["mended"]);
  });

  also("a step that was being cancelled is cancelled", async () => {
    const project = await make();
    const id = await start(project, "work");
    await project.until(() => lines(project, "began").length === 1, "the step");
    await Promise.all([project.run("job", "cancel", id), killDaemon(project)]);
    await project.run("job", "cancel", id); // the first may not have got through
    assert.equal((await project.run("job", "wait", id)).code, 4);
    await project.until(() => isGone(Number(lines(project, "began")[0])), "the end of the step");
    assert.equal(lines(project, "began").length, 1);
  });

  it("a pending decision can still be answered, and its job goes on", async () => {
    const project = await make();
    const id = await start(project, "plain");
    const before = await project.until(async () => (await project.json<Decision[]>("decision", "list"))[0]);
    await killDaemon(project);
    const [after] = await project.json<Decision[]>("decision", "list");
    assert.deepEqual(after, before);
    await project.run("decision", "resolve", before.id, "1");
    assert.equal((await project.run("job", "wait", id)).code, 0);
  });

  also("a decision whose context was still being gathered is asked, with its context", async () => {
    const project = await make();
    const id = await start(project, "ask");
    await project.until(() => lines(project, "began").length === 1, "the context command");
    await killDaemon(project);
    project.write({ go: "" });
    const asked = await project.until(async () => (await project.json<Decision[]>("decision", "list"))[0]);
    assert.equal(asked.title, "Which way?");
    assert.equal(asked.context, "here you are");
    await project.until(() => isGone(Number(lines(project, "began")[0])), "the end of the first try");
    await project.run("decision", "resolve", asked.id, "2");
    assert.equal((await project.run("job", "wait", id)).code, 0);
    assert.deepEqual(lines(project, "went"), ["right"]);
  });

  it("an answer that nobody had fetched is still there for the asker", async () => {
    const project = await make();
    const request = ["decision", "request", "--prompt", "Which?", "--option", "a: one", "--option", "b: two"];
    const { id } = await project.json<Decision>(...request);
    await project.run("decision", "resolve", id, "2");
    await killDaemon(project);
    assert.equal((await project.json<Decision>("decision", "show", id)).delivery.state, "owed");
    const awaited = await project.run("decision", "await", id, "-o", "json");
    assert.equal(awaited.code, 0, awaited.stderr);
    const settled = await project.until(async () => {
      const it = await project.json<Decision>("decision", "show", id);
      return it.delivery.state === "acknowledged" && it;
    }, "the receipt");
    assert.equal(settled.state, "resolved");
  });
});
