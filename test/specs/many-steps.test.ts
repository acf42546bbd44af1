/**
 * Many steps at once, and a daemon that is killed: whatever they do, none outlives its job, and the next daemon answers throughout, even
 * with few descriptors. `OJ_STEPS=500` is the full size.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { few } from "../everything.ts";
import { call, isGone, killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

const COUNT = Number(process.env.OJ_STEPS ?? 20);

/** How many files the next daemon may open: it needs about 40 itself. */
const DESCRIPTORS = 96;

/** Each says which processes are its own. */
const KINDS: Record<string, string> = {
  plain: "sleep 600",
  deaf: "trap '' TERM; sleep 600",
  stopped: "kill -STOP $$; sleep 600",
  apart: "setsid bash -c 'mine; sleep 600' & wait",
  bare: "env -i PATH=$PATH sleep 600 & mine $!; wait",
};

const RUNBOOK = Object.entries(KINDS)
  .map(
    ([name, script]) => `
command "${name}" { run = { job = "${name}" } }
job "${name}" {
  step "sit" {
    run = <<-SH
      mine() { echo "$OJ_JOB $\${1:-$BASHPID}" >>pids; }
      export -f mine
      mine
      ${script.replaceAll("${", "$${")}
    SH
  }
}
`,
  )
  .join("");

interface Listed {
  id: string;
  status: string;
}

const processes = (project: Project): { job: string; pid: number }[] => {
  const file = path.join(project.dir, "pids");
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  return lines.map((it) => ({ job: it.split(" ")[0] ?? "", pid: Number(it.split(" ")[1]) }));
};

describe.skipIf(!fs.existsSync("/proc/self/environ"))("many steps at once", () => {
  it(`leave nothing alive when the daemon is killed, and nobody waits for an answer: ${COUNT}`, {
    timeout: 300_000 + COUNT * 1000,
  }, async () => {
    const project = await tempProject({ ".oj/runbooks/sit.hcl": RUNBOOK });
    await project.run("job", "list");
    const kinds = Object.keys(KINDS);
    const counts = kinds.map((_, at) => Math.ceil((COUNT - at) / kinds.length));
    for (const [at, kind] of kinds.entries())
      for (let left = counts[at] ?? 0; left > 0; left -= 10)
        await Promise.all(Array.from({ length: Math.min(left, 10) }, () => start(project, kind)));
    const two = (counts[kinds.indexOf("apart")] ?? 0) + (counts[kinds.indexOf("bare")] ?? 0);
    await project.until(() => processes(project).length === COUNT + two, "all steps", 120_000 + COUNT * 200);

    await killDaemon(project);
    const before = processes(project).filter(({ pid }) => !isGone(pid));
    assert.equal(before.length, COUNT + two, "they outlive their daemon");
    const began = performance.now();
    const told = await take(project);
    const ready = performance.now();

    let slowest = 0;
    for (let open = COUNT; open > 0; ) {
      const asked = performance.now();
      const health = await call(project, "GET", "/health");
      slowest = Math.max(slowest, performance.now() - asked);
      assert.equal(health.status, 200);
      const jobs = (await call(project, "GET", "/jobs")).json<Listed[]>();
      const failed = new Set(jobs.filter((it) => it.status === "failed").map((it) => it.id));
      const living = processes(project).filter((it) => failed.has(it.job) && !isGone(it.pid));
      assert.deepEqual(living, [], "a job has failed, and its processes live");
      open = jobs.filter((it) => it.status === "running").length;
      assert.ok(performance.now() - began < 120_000 + COUNT * 500, `${open} jobs are still running`);
      if (open > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual(
      processes(project).filter(({ pid }) => !isGone(pid)),
      [],
    );
    assert.equal(processes(project).length, COUNT + two, "none was run again");
    const log = fs.readFileSync(path.join(project.stateDir, "daemon.log"), "utf8");
    const took = /took over what the last daemon left.*/.exec(log)?.[0] ?? "";
    assert.match(took, new RegExp(`\\b${COUNT}\\b`), told);
    if (COUNT > 100)
      process.stderr.write(
        `${COUNT} steps: ready after ${Math.round(ready - began)} ms, all told after ${Math.round(performance.now() - began)} ms, slowest /health ${Math.round(slowest)} ms; ${took}\n`,
      );
    assert.ok(slowest < 30_000, `/health took ${Math.round(slowest)} ms`);
  });

  it("leave nothing alive either if their shell died with the daemon", async () => {
    const project = await tempProject({ ".oj/runbooks/sit.hcl": RUNBOOK });
    const { job_id } = await project.json<{ job_id: string }>("run", "bare");
    await project.until(() => processes(project).length === 2, "the step");
    const daemon = await project.daemonPid();
    const [shell, child] = processes(project).map((it) => it.pid);
    process.kill(daemon ?? 0, "SIGKILL");
    process.kill(shell ?? 0, "SIGKILL"); // what is left carries no mark, in a group whose leader is gone
    await project.until(() => isGone(daemon ?? 0) && isGone(shell ?? 0), "their end");
    assert.equal(isGone(child ?? 0), false);
    assert.equal((await project.run("job", "wait", job_id)).code, 1);
    assert.equal(isGone(child ?? 0), true, "it was gone before its job had failed");
  });

  it.each(few(["deaf", "stopped", "apart", "bare"], 2))(
    "are gone when their job is cancelled, even a %s step",
    async (kind) => {
      const project = await tempProject({
        ".oj/runbooks/sit.hcl": RUNBOOK,
        ".oj/config.toml": "[jobs]\nkill_after_s = 1\n",
      });
      const { job_id } = await project.json<{ job_id: string }>("run", kind);
      const expected = /apart|bare/.test(kind) ? 2 : 1;
      await project.until(() => processes(project).length === expected, "the step");
      await project.run("job", "cancel", job_id);
      assert.equal((await project.run("job", "wait", job_id)).code, 4);
      assert.deepEqual(
        processes(project).filter(({ pid }) => !isGone(pid)),
        [],
      );
    },
  );
});

async function start(project: Project, command: string): Promise<void> {
  const body = { cwd: project.dir, project: "shop", command, argv: [], named: {}, env: project.env };
  const { status, text } = await call(project, "POST", "/run", { body });
  assert.equal(status, 200, text);
}

/** Starts the next daemon with few descriptors, and returns its output. */
async function take(project: Project): Promise<string> {
  const oj = path.join(import.meta.dirname, "../../dist/oj.cjs");
  const line = `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`;
  const child = spawn("bash", ["-c", line, process.execPath, oj, "job", "list", "-o", "json"], {
    cwd: project.dir,
    env: project.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part));
  const [code] = (await once(child, "close")) as [number];
  assert.equal(code, 0, said);
  return said;
}
