import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import { FAIL, HOLD, RELEASE } from "./support/runbooks.ts";
import type { Job, Refusal } from "./support/views.ts";

const begin = async (project: Project, ...args: string[]) =>
  (await project.json<{ job_id: string }>("run", ...args)).job_id;

const show = (project: Project, id: string) => project.json<Job>("job", "show", id);

const untilStatus = (project: Project, id: string, status: string) =>
  project.until(async () => (await show(project, id)).status === status, `${id} ${status}`);

/** Until the job waits for an answer; returns the decision's id. */
const untilAsked = (project: Project, id: string) =>
  project.until(async () => (await show(project, id)).pending_decision, `${id} asks`);

/** Until the step of the job "hold" really runs. */
const untilHeld = (project: Project) => project.until(() => fs.existsSync(path.join(project.dir, "began")));

const release = (project: Project) => project.write({ go: "" });

const withRunbooks = () => tempProject({ ".oj/runbooks/all.hcl": RELEASE + FAIL + HOLD });

describe("oj job list", () => {
  also("says so when there are no jobs, and prints [] as JSON", async () => {
    const project = await tempProject();
    assert.equal((await project.run("job", "list")).stdout, "there are no jobs\n");
    assert.deepEqual(await project.json("job", "list"), []);
  });

  it("shows jobs in columns, newest first, with what each waits for", async () => {
    const project = await withRunbooks();
    const failed = await begin(project, "fail");
    await untilStatus(project, failed, "failed");
    const waiting = await begin(project, "release", "1.0");
    const decision = await untilAsked(project, waiting);
    const { stdout } = await project.run("job", "list");
    assert.equal(
      stdout.replaceAll(/(now|\d+s ?)( {2}dec|$)/gm, "AGE$2"),
      [
        "JOB             NAME         STATUS   STEP  AGE  WAITING FOR",
        `${waiting}  release/1.0  waiting  ship  AGE  ${decision} Ship 1.0?`,
        `${failed}  fail         failed         AGE`,
        "",
      ].join("\n"),
    );
  });

  it("can be limited to a status, and refuses an unknown one", async () => {
    const project = await withRunbooks();
    const failed = await begin(project, "fail");
    await untilStatus(project, failed, "failed");
    assert.deepEqual(await project.json("job", "list", "--status", "running"), []);
    assert.equal((await project.json<Job[]>("job", "list", "--status", "failed")).length, 1);
    const { stderr, code } = await project.run("job", "list", "--status", "faild");
    assert.match(stderr, /did you mean --status failed\?/);
    assert.equal(code, 2);
  });
});

describe("oj job show", () => {
  it("shows the steps, the question, and what to type next", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "release", "1.0");
    const decision = await untilAsked(project, id);
    const { stdout } = await project.run("job", "show", id.slice(4, 9));
    assert.match(stdout, new RegExp(`^⏸ ${id} {2}release/1.0 {2}waiting\n`));
    assert.match(stdout, /\n {2}version {2}1\.0\n/);
    assert.match(
      stdout,
      new RegExp(`\n {2}✓ test .*\n {2}⏸ ship .* waiting for an answer to ${decision}\n {2}· publish\n`),
    );
    assert.match(
      stdout,
      /\n {2}Ship 1\.0\?\n {4}1 {2}★ Ship it .*\n {4}2 {4}Test again .*\n {4}3 {4}Stop .*\n/,
    );
    assert.match(stdout, new RegExp(`\n {2}→ oj decision resolve ${decision} <1-3>\n`));
  });

  also("shows the answers that were given", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "release", "1.0");
    await project.run("decision", "resolve", await untilAsked(project, id), "1", "-m", "go");
    await untilStatus(project, id, "completed");
    const { stdout } = await project.run("job", "show", id);
    assert.match(stdout, /\n {2}✓ ship .* {2}Ship it \(ana\): go\n/);
  });

  also("shows why a job failed, with the end of its output", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "fail");
    await untilStatus(project, id, "failed");
    const { stdout } = await project.run("job", "show", id);
    assert.match(
      stdout,
      /\n {2}✗ bad: exit code 1\n {4}│ boom\n\n {2}→ oj job logs .*\n {2}→ oj job resume /,
    );
  });

  it("has every field of the contract as JSON", async () => {
    const project = await withRunbooks();
    const job = await show(project, await begin(project, "release", "1.0"));
    const wanted = [
      "id",
      "project",
      "name",
      "kind",
      "status",
      "step",
      "steps",
      "vars",
      "workspace",
      "pending_decision",
    ];
    for (const field of wanted) assert.ok(field in job, field);
    for (const field of ["name", "status", "started_at_ms", "finished_at_ms", "error"]) {
      assert.ok(field in (job.steps[0] ?? {}), field);
    }
  });

  also("refuses an unknown id, in text and JSON", async () => {
    const project = await tempProject();
    const text = await project.run("job", "show", "nope");
    assert.deepEqual(text, { stdout: "", stderr: "✗ there is no job nope\n  → oj job list\n", code: 1 });
    const json = await project.run("job", "show", "nope", "-o", "json");
    assert.equal((JSON.parse(json.stdout) as Refusal).error.code, "job.not-found");
    assert.equal(json.code, 1);
  });
});

describe("oj job logs", () => {
  also("shows the output of the steps, or its last lines", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "fail");
    await untilStatus(project, id, "failed");
    assert.match((await project.run("job", "logs", id)).stdout, /^── good ─+\nfine\n/);
    assert.equal((await project.run("job", "logs", id, "-n", "2")).stdout.trimEnd().split("\n").length, 2);
    assert.equal((await project.run("job", "logs", id, "-n", "many")).code, 2);
  });

  it("neutralizes control sequences, unless --raw asks for them", async () => {
    const runbook = String.raw`command "noisy" { run = "printf 'a\\033]0;title\\007b\\r\\n\\033[1mbold\\033[0m\\n'" }`;
    const project = await tempProject({ ".oj/runbooks/a.hcl": runbook });
    const id = await begin(project, "noisy");
    await untilStatus(project, id, "completed");
    assert.match((await project.run("job", "logs", id)).stdout, /\na␛\]0;title␇b\nbold\n/);
    assert.ok((await project.run("job", "logs", id, "--raw")).stdout.includes("\u001b[1mbold"));
  });

  also("follows until the job ends", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "hold");
    const isThere = async () => (await project.run("job", "logs", id)).stdout.endsWith("holding\n");
    await project.until(isThere, "its last line");
    const following = project.start("job", "logs", id, "-f", "-n", "1");
    await project.until(() => following.stdout().includes("holding"));
    assert.ok(!following.stdout().includes("── wait ──"), "one line was asked for");
    release(project);
    const { stdout, code } = await following.ended;
    assert.match(stdout, /^holding\nreleased\n(?:── .*\n)+over\n/);
    assert.equal(code, 0);
  });

  it("continues after the daemon was killed, without a gap or a repetition", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "release", "1.0");
    const decision = await untilAsked(project, id);
    const following = project.start("job", "logs", id, "-f");
    await project.until(() => following.stdout().includes("all green"));
    process.kill((await project.daemonPid()) ?? 0, "SIGKILL");
    await project.until(async () => (await project.run("decision", "resolve", decision, "1")).code === 0);
    const { stdout, code } = await following.ended;
    assert.equal(stdout, (await project.run("job", "logs", id)).stdout);
    assert.equal(code, 0);
  });
});

describe("oj job wait", () => {
  it("exits with 0 for completed, 1 for failed, 4 for cancelled, 5 for a timeout", async () => {
    const project = await withRunbooks();
    const held = await begin(project, "hold");
    assert.equal((await project.run("job", "wait", held, "--timeout", "200ms")).code, 5);
    const failed = await begin(project, "fail");
    assert.equal((await project.run("job", "wait", failed)).code, 1);
    release(project);
    const completed = await project.run("job", "wait", held);
    assert.match(completed.stdout, /^✓ job-\w+ hold completed after /);
    assert.equal(completed.code, 0);
    const cancelled = await begin(project, "release", "1");
    await project.run("job", "cancel", cancelled);
    assert.equal((await project.run("job", "wait", cancelled)).code, 4);
  });

  also(
    "returns when the first one ends, or with --all when the last one does, with the worst exit code",
    async () => {
      const project = await withRunbooks();
      const [held, failed, other] = [
        await begin(project, "hold"),
        await begin(project, "fail"),
        await begin(project, "release", "1"),
      ];
      const first = await project.run("job", "wait", held, failed, "-o", "json");
      assert.deepEqual(
        (JSON.parse(first.stdout) as Job[]).map((it) => it.id),
        [failed],
      );
      assert.equal(first.code, 1);
      const all = project.start("job", "wait", held, failed, other, "--all");
      await project.run("job", "cancel", other);
      release(project);
      const { stdout, code } = await all.ended;
      assert.deepEqual(
        [...stdout.matchAll(/^[✓✗–] (job-\w+)/gm)].map((it) => it[1]),
        [held, failed, other],
      );
      assert.equal(code, 1, "a failure counts more than a cancellation");
    },
  );

  also("keeps waiting while the daemon is stopped, and carries on when it is back", async () => {
    const project = await withRunbooks();
    await project.run("daemon", "start");
    const waiting = project.start("run", "release", "1.0", "--wait");
    const decision = await project.until(() => /resolve (dec-\w+)/.exec(waiting.stderr())?.[1], "it asks");
    await project.run("daemon", "stop");
    await project.until(() => waiting.stderr().includes("the daemon was stopped"));
    assert.equal(await project.daemonPid(), null, "it was stopped on purpose, so nobody starts it");
    await project.run("daemon", "start");
    await project.run("decision", "resolve", decision, "1");
    const { stderr, code } = await waiting.ended;
    assert.equal(stderr.match(/✓ test/g)?.length, 1, "nothing is told twice");
    assert.match(stderr, /✓ publish/);
    assert.equal(code, 0);
  });

  it("starts a daemon that was killed, and keeps waiting", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "release", "1.0");
    const decision = await untilAsked(project, id);
    const waiting = project.start("job", "wait", id);
    await project.until(() => waiting.pid > 0);
    const before = await project.daemonPid();
    process.kill(before ?? 0, "SIGKILL");
    await project.until(async () => ![null, before].includes(await project.daemonPid()));
    await project.run("decision", "resolve", decision, "3");
    assert.equal((await waiting.ended).code, 4);
  });

  also("gives up at its deadline even if there is no daemon", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "release", "1.0");
    const waiting = project.start("job", "wait", id, "--timeout", "2s");
    await untilAsked(project, id);
    await project.run("daemon", "stop");
    assert.equal((await waiting.ended).code, 5);
  });
});

describe("oj job cancel", () => {
  it("ends whatever the job is running, and reports a result for each", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "hold");
    await untilHeld(project);
    const { stdout, stderr, code } = await project.run("job", "cancel", id, "nope", "--reason", "enough");
    assert.equal(stdout, `– ${id} is being cancelled: what wait runs is being stopped\n`);
    assert.equal(stderr, "✗ there is no job nope\n  → oj job list\n");
    assert.equal(code, 1);
    await untilStatus(project, id, "cancelled");
    assert.equal((await show(project, id)).reason, "enough");
  });

  also("refuses a job that has ended", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "fail");
    await untilStatus(project, id, "failed");
    const { stdout, code } = await project.run("job", "cancel", id, "-o", "json");
    const [result] = JSON.parse(stdout) as (Refusal & { id: string })[];
    assert.equal(result?.error.code, "job.ended");
    assert.equal(code, 1);
  });
});

describe("oj job suspend and resume", () => {
  it("starts no further step until it is resumed", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "hold");
    await untilHeld(project);
    const suspended = await project.run("job", "suspend", id);
    assert.equal(suspended.stdout, `${id} is suspended; wait still runs to completion\n`);
    release(project);
    await project.until(async () => (await show(project, id)).steps[0]?.status === "completed");
    assert.equal((await show(project, id)).status, "suspended");
    assert.equal((await project.run("job", "resume", id)).code, 0);
    await untilStatus(project, id, "completed");
  });

  also("repeats the failed step", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "fail");
    await untilStatus(project, id, "failed");
    project.write({ mended: "" });
    assert.equal((await project.run("job", "resume", id, "-m", "mended")).stdout, `${id} continues at bad\n`);
    assert.equal((await project.run("job", "wait", id)).code, 0);
  });

  also("refuses a job that waits for an answer, and says where to give it", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "release", "1");
    const decision = await untilAsked(project, id);
    const { stderr, code } = await project.run("job", "resume", id);
    assert.match(stderr, new RegExp(`→ oj decision show ${decision}\n`));
    assert.equal(code, 1);
  });
});

describe("oj job delete", () => {
  it("removes a job that has ended, and no other", async () => {
    const project = await withRunbooks();
    const id = await begin(project, "release", "1");
    const early = await project.run("job", "delete", id);
    assert.match(
      early.stderr,
      new RegExp(`only a job that has ended can be deleted\n {2}→ oj job cancel ${id}\n`),
    );
    assert.equal(early.code, 1);
    await project.run("job", "cancel", id);
    await untilStatus(project, id, "cancelled");
    assert.equal((await project.run("job", "delete", id)).stdout, `${id} is deleted\n`);
    assert.deepEqual(await project.json("job", "list"), []);
  });
});
