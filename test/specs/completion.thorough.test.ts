import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import { FAIL, RELEASE } from "./support/runbooks.ts";
import type { Job } from "./support/views.ts";

const OJ = path.join(import.meta.dirname, "../../dist/oj.cjs");
const hasShell = (name: string) => spawnSync(name, ["--version"]).status === 0;

/** A project with `oj` on its PATH, a waiting job and a failed one. */
async function withJobs(): Promise<{ project: Project; waiting: Job; failed: string }> {
  const project = await tempProject({
    ".oj/runbooks/a.hcl": RELEASE + FAIL,
    "bin/oj": `#!/bin/sh\nexec "${process.execPath}" "${OJ}" "$@"\n`,
  });
  fs.chmodSync(path.join(project.dir, "bin/oj"), 0o755);
  project.env.PATH = `${path.join(project.dir, "bin")}:${project.env.PATH}`;
  const failed = (await project.json<{ job_id: string }>("run", "fail")).job_id;
  await project.run("job", "wait", failed);
  const { job_id } = await project.json<{ job_id: string }>("run", "release", "1.0");
  const waiting = await project.until(async () => {
    const job = await project.json<Job>("job", "show", job_id);
    return job.pending_decision !== null && job;
  });
  return { project, waiting, failed };
}

const complete = async (project: Project, ...words: string[]) =>
  (await project.run("__complete", "--", ...words)).stdout.split("\n").filter((it) => it !== "");

/** What the daemon knows is offered only when it says so within an instant, which a busy machine may need a second go for. */
async function offers(project: Project, expected: string[], ...given: string[]): Promise<void> {
  const isOffered = async () => isDeepStrictEqual(await complete(project, ...given), expected);
  await project.until(isOffered, `${JSON.stringify(expected)} for ${given.join(" ")}`);
}

const words = (lines: string[]) => lines.map((it) => it.split("\t")[0]);

describe("oj __complete", () => {
  it("offers commands with their summaries, and flags with their values", async () => {
    const project = await tempProject();
    assert.deepEqual(words(await complete(project, "dec")), ["decision"]);
    assert.deepEqual(words(await complete(project, "job", "s")), ["show", "suspend"]);
    assert.match((await complete(project, "job", "su"))[0] ?? "", /^suspend\t\w+/);
    assert.deepEqual(words(await complete(project, "job", "logs", "--f")), ["--follow"]);
    assert.deepEqual(words(await complete(project, "job", "list", "--status", "wa")), ["waiting"]);
    assert.deepEqual(words(await complete(project, "job", "list", "--status=wa")), ["--status=waiting"]);
    assert.deepEqual(words(await complete(project, "job", "list", "--status", "=", "wa")), ["waiting"]);
    assert.deepEqual(words(await complete(project, "decision", "list", "--urgency", "")), [
      "high",
      "medium",
      "low",
    ]);
    assert.deepEqual(words(await complete(project, "--project", "x", "jo")), ["job"]);
    assert.deepEqual(await complete(project, "runbook", "check", ""), [":files"]);
    assert.deepEqual(await complete(project, "nonsense", ""), []);
    assert.ok(!words(await complete(project, "")).includes("__complete"));
  });

  it("offers only ids that fit the command, with titles and names, and options with labels", async () => {
    const { project, waiting, failed } = await withJobs();
    const decision = waiting.pending_decision ?? "";
    const ship = `${decision}\tShip 1.0?`;
    const [release, fail] = [`${waiting.id}\trelease/1.0 (waiting)`, `${failed}\tfail (failed)`];
    await offers(project, [ship], "decision", "resolve", "");
    await offers(project, [ship], "decision", "resolve", decision.slice(4, 8));
    await offers(project, ["1\tShip it", "2\tTest again", "3\tStop"], "decision", "resolve", decision, "");
    await offers(project, [release, fail], "job", "show", "");
    await offers(project, [release], "job", "cancel", "");
    await offers(project, [fail], "job", "delete", "");
    await offers(project, ["release\tTest, ask, publish"], "run", "re");
  });

  also("stays silent without a daemon, and starts none", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": RELEASE });
    for (const given of [
      ["job", "show", ""],
      ["run", ""],
      ["decision", "resolve", "x", ""],
    ]) {
      assert.deepEqual(await project.run("__complete", "--", ...given), { stdout: "", stderr: "", code: 0 });
    }
    assert.equal(await project.daemonPid(), null);
  });

  also("gives up quickly on a daemon that does not answer", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const pid = (await project.daemonPid()) ?? 0;
    process.kill(pid, "SIGSTOP");
    const from = performance.now();
    assert.deepEqual(await project.run("__complete", "--", "job", "show", ""), {
      stdout: "",
      stderr: "",
      code: 0,
    });
    assert.ok(performance.now() - from < 30_000, "a Tab must not hang");
    process.kill(pid, "SIGCONT");
  });
});

describe("the completion scripts", () => {
  it("work in bash", async () => {
    const { project, waiting, failed } = await withJobs();
    const script = `
      source <(oj completion bash)
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_TYPE=9; COMPREPLY=(); _oj; printf '%s\\n' "\${COMPREPLY[@]}" --; }
      try oj deci
      try oj job list --status = wa
      try oj job show ''
      complete -p oj
    `;
    const expected = [
      "decision",
      "--",
      "waiting",
      "--",
      `${waiting.id}  (release/1.0 (waiting))`,
      `${failed}  (fail (failed))`,
      "--",
      "complete -o nosort -F _oj oj",
      "",
    ].join("\n");
    const env = { ...project.env, COLUMNS: "80" };
    const output = () =>
      execFileSync("bash", ["--norc", "-c", script], { cwd: project.dir, env, encoding: "utf8" });
    await project.until(() => output() === expected, expected);
  });

  it.skipIf(!hasShell("zsh"))("work in zsh, where it is installed", async () => {
    const { project, waiting } = await withJobs();
    const script = `
      compdef() { print "compdef $*" }
      _describe() { print -l "\${(@P)argv[-1]}" }
      _files() { print files }
      source <(oj completion zsh)
      try() { words=("$@"); CURRENT=$#; _oj; print -- --; }
      try oj decision sh
      try oj decision resolve ''
      try oj runbook check ''
    `;
    const output = execFileSync("zsh", ["-f", "-c", script], {
      cwd: project.dir,
      env: project.env,
      encoding: "utf8",
    });
    assert.match(output, /^compdef _oj oj\nshow:\w.*\n--\n/);
    assert.match(output, new RegExp(`\n${waiting.pending_decision}:Ship 1\\.0\\?\n--\nfiles\n--\n$`));
  });

  it.skipIf(!hasShell("fish"))("work in fish, where it is installed", async () => {
    const { project, waiting } = await withJobs();
    const ask = (line: string) =>
      execFileSync("fish", ["--no-config", "-c", `oj completion fish | source; complete -C '${line}'`], {
        cwd: project.dir,
        env: project.env,
        encoding: "utf8",
      });
    assert.match(ask("oj deci"), /^decision\t\w/);
    assert.equal(ask("oj job list --status=wa").trim(), "--status=waiting");
    const ship = `${waiting.pending_decision}\tShip 1.0?`;
    await project.until(() => ask("oj decision resolve ").trim() === ship, ship);
    assert.match(ask("oj runbook check .oj/runbooks/"), /^\.oj\/runbooks\/a\.hcl$/m);
  });

  also("are refused for an unknown shell", async () => {
    const project = await tempProject();
    const { stderr, code } = await project.run("completion", "bsh");
    assert.equal(stderr, '✗ oj completion has no script for the shell "bsh"\n  → oj completion bash\n');
    assert.equal(code, 2);
  });
});
