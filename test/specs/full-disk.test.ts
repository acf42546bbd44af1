import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import type { Stage } from "./support/agents.ts";
import { agentStage } from "./support/agents.ts";
import { call, isGone, killDaemon, question } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import { HOLD } from "./support/runbooks.ts";
import type { Job, Refusal } from "./support/views.ts";

interface Decision {
  id: string;
  title: string;
}

interface Status {
  pid: number;
  warnings: string[];
}

/** A small file system of its own, or null if this user may not have one. */
function mountSmall(): string | null {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "oj-disk-"));
  if (!mountAt(folder)) {
    fs.rmdirSync(folder);
    return null;
  }
  onTestFinished(() => {
    execFileSync("umount", [folder], { stdio: "ignore" });
    fs.rmdirSync(folder);
  });
  return folder;
}

function mountAt(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const NO_MOUNT = "this user may not mount a small file system (needs root)";

/** A project whose state is on a small disk. */
async function onSmallDisk(files: Record<string, string> = {}): Promise<Project | null> {
  const disk = mountSmall(); // before the project: what is created first is removed last
  if (disk === null) return null;
  const stateDir = path.join(disk, "state");
  return { ...(await tempProject(files, { env: { OJ_STATE_DIR: stateDir } })), stateDir };
}

/** Agents that begin once there is a file `go`, in a project whose state is on a small disk. */
async function agentsOnSmallDisk(scenarios: Record<string, object[]>): Promise<Stage | null> {
  let isThere = false;
  const wait = { run: "while [ ! -e go ]; do sleep 0.05; done" };
  const cast = Object.entries(scenarios).map(([name, steps]) => [
    name,
    { scenario: { turns: [[wait, ...steps]], otherwise: [{ signal: "done" }] } },
  ]);
  const stage = await agentStage(Object.fromEntries(cast), {
    before({ stateDir, home, env }) {
      env.OJ_AGENT_HOME = path.join(home, "conversations"); // a client's own files are on another disk
      fs.mkdirSync(stateDir);
      isThere = mountAt(stateDir);
      // the daemon still uses it then: it goes once nobody does
      if (isThere) onTestFinished(() => void execFileSync("umount", ["--lazy", stateDir]));
    },
  });
  return isThere ? stage : null;
}

const filler = (project: Project) => path.join(project.stateDir, "filler");

/** Takes all the space that is left. */
function fill(project: Project): void {
  for (const size of [65_536, 4096, 512])
    try {
      for (;;) fs.appendFileSync(filler(project), Buffer.alloc(size));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
    }
}

const free = (project: Project) => fs.rmSync(filler(project));

/** Asks until the disk is full; returns the acknowledged titles, and the refusal. */
async function askUntilFull(project: Project): Promise<{ taken: string[]; refusal: Refusal["error"] }> {
  const taken: string[] = [];
  for (let n = 0; n < 2000; n++) {
    const title = `question ${n}`;
    const reply = await call(project, "POST", "/decisions", {
      body: { ...question(project, title), context: "x".repeat(2000) },
      headers: { "x-oj-user": `user-${n}` },
    });
    if (reply.status === 200) taken.push(title);
    else {
      assert.equal(reply.status, 507, reply.text);
      return { taken, refusal: reply.json<Refusal>().error };
    }
  }
  return assert.fail("the disk did not become full");
}

const titles = async (project: Project) =>
  (await project.json<Decision[]>("decision", "list")).map((it) => it.title);
const byNumber = (all: string[]) => all.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
const request = (project: Project, prompt: string) =>
  project.run("decision", "request", "--prompt", prompt, "--option", "y: z", "-o", "json");

describe("on a full disk", () => {
  it("requests are refused at once, reading goes on, and everything works again once there is space; nothing is lost", async ({
    skip,
  }) => {
    const project = await onSmallDisk();
    if (!project) return skip(NO_MOUNT);
    await project.run("daemon", "start");
    const { pid } = await project.json<Status>("daemon", "status");
    fill(project);
    const { taken, refusal } = await askUntilFull(project);
    assert.equal(refusal.code, "store.full");
    assert.match(refusal.message, /The disk that holds .* is full; nothing was written\./);

    const began = Date.now();
    const { code, stdout } = await request(project, "one more");
    assert.ok(Date.now() - began < 60_000, "nobody waits for space");
    assert.equal(code, 3);
    assert.equal((JSON.parse(stdout) as Refusal).error.code, "store.full");
    assert.deepEqual(byNumber(await titles(project)), taken);
    const during = await project.json<Status>("daemon", "status");
    assert.equal(during.pid, pid);
    assert.match(during.warnings.join(), /the store can't be written to: The disk .* is full/);

    free(project);
    assert.equal((await request(project, "question 100000")).code, 0);
    const after = await project.json<Status>("daemon", "status");
    assert.deepEqual([after.pid, after.warnings], [pid, []]);
    assert.deepEqual(byNumber(await titles(project)), [...taken, "question 100000"]);

    await killDaemon(project);
    assert.deepEqual(byNumber(await titles(project)), [...taken, "question 100000"]);
  });

  it("a kill loses nothing acknowledged, and a daemon that can't start says why", async ({ skip }) => {
    const project = await onSmallDisk();
    if (!project) return skip(NO_MOUNT);
    await project.run("daemon", "start");
    fill(project);
    const { taken } = await askUntilFull(project);
    await killDaemon(project);
    fill(project);
    const started = await project.run("decision", "list", "-o", "json");
    if (started.code === 0) {
      // what was left was enough to start with: then everything must be there
      assert.deepEqual(byNumber(await titles(project)), taken);
    } else {
      assert.equal(started.code, 3, started.stderr);
      assert.equal((JSON.parse(started.stdout) as Refusal).error.code, "store.full");
    }
    free(project);
    assert.deepEqual(byNumber(await titles(project)), taken);
  });

  it("the end of a step is recorded once there is space, and a new job is refused", async ({ skip }) => {
    const project = await onSmallDisk({ ".oj/runbooks/hold.hcl": HOLD });
    if (!project) return skip(NO_MOUNT);
    const { job_id } = await project.json<{ job_id: string }>("run", "hold");
    await project.until(() => fs.existsSync(path.join(project.dir, "began")), "the step");
    fill(project);
    await askUntilFull(project);

    const another = await project.run("run", "hold", "-o", "json");
    assert.equal(another.code, 3, another.stdout);
    assert.equal((JSON.parse(another.stdout) as Refusal).error.code, "store.full");
    assert.equal((await project.json<Job[]>("job", "list")).length, 1);

    project.write({ go: "" });
    const pid = stepPid(project);
    await project.until(() => isGone(pid), "the end of the step");
    assert.equal((await project.json<Job>("job", "show", job_id)).steps[0]?.status, "running");
    free(project);
    assert.equal((await project.run("job", "wait", job_id)).code, 0);
    const job = await project.json<Job>("job", "show", job_id);
    assert.deepEqual(
      job.steps.map((it) => it.status),
      ["completed", "completed"],
    );
  });
});

describe("agents on a full disk", () => {
  it("are asked about as soon as there is space: a death, an end of a turn, a dialog", async ({ skip }) => {
    const stage = await agentsOnSmallDisk({
      dead: [{ crash: 7 }],
      idle: [{ say: "Half of it is there." }],
      approval: [{ tool: "Bash", input: { command: "make" } }],
    });
    if (!stage) return skip(NO_MOUNT);
    const [dead, idle, approval] = [
      await stage.job("dead"),
      await stage.job("idle"),
      await stage.job("approval"),
    ];
    for (const it of [dead, idle, approval])
      await stage.until(() => it.events("agent:conversing").length > 0, "an agent at work");
    fill(stage);
    await askUntilFull(stage);
    stage.write({ go: "" });
    await stage.shows(idle, /Half of it is there/);
    await stage.shows(approval, /make[\s\S]*1\. Yes/);
    const isDead = async () =>
      (await stage.tmux("list-panes", "-a", "-F", "#{session_name} #{pane_dead}")).includes(
        `${dead.agent} 1`,
      );
    await stage.until(isDead, "its death");
    free(stage);
    assert.match((await dead.asked("dead")).title, /exit code 7/);
    assert.equal((await idle.asked("idle")).title, "Stopped: Half of it is there.");
    assert.deepEqual((await approval.asked("approval")).action?.input, { command: "make" });
  });
});

describe("on a read-only disk", () => {
  it("the daemon refuses to start and says so, and starts once the disk is writable", async ({ skip }) => {
    const project = await onSmallDisk();
    if (!project) return skip(NO_MOUNT);
    assert.equal((await request(project, "before")).code, 0);
    await project.run("daemon", "stop");
    const disk = path.dirname(project.stateDir);
    const remount = (how: string) =>
      execFileSync("mount", ["-o", `remount,${how}`, disk], { stdio: "ignore" });
    remount("ro");
    try {
      const { code, stdout } = await project.run("decision", "list", "-o", "json");
      assert.equal(code, 3, stdout);
      assert.equal((JSON.parse(stdout) as Refusal).error.code, "store.read-only");
    } finally {
      remount("rw");
    }
    assert.deepEqual(await titles(project), ["before"]);
  });
});

/** The process of the only running step. */
function stepPid(project: Project): number {
  const runs = path.join(project.stateDir, "runs");
  const [name = ""] = fs.readdirSync(runs).filter((it) => it.endsWith(".begun"));
  return Number(fs.readFileSync(path.join(runs, name), "utf8"));
}
