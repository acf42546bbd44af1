import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { describe, it } from "vitest";
import { bashShell } from "../../src/adapters/bash/shell.ts";
import type { ShellRun } from "../../src/core/model/effects.ts";
import type { ShellManner } from "../../src/ports.ts";
import { aRun, tempFolder, until } from "./temp.ts";

const RUN = aRun();

const env = { PATH: process.env.PATH ?? "", HOME: "/nowhere" };

async function setup() {
  const dir = await tempFolder();
  const shell = bashShell({ dir: path.join(dir, "runs"), killAfterMs: 500, wentDown: false });
  const parts: Buffer[] = [];
  const how: ShellManner = {
    env,
    timeoutMs: null,
    keepBytes: 1000,
    keep: "tail",
    onOutput: async (part) => void parts.push(part),
  };
  const runOf = (script: string, more: Partial<ShellRun> = {}): ShellRun => ({
    job_id: "job-1",
    project: "p",
    step: "s",
    run_id: RUN,
    purpose: "step",
    script,
    values: {},
    env: {},
    cwd: dir,
    origin: "job-1",
    timeout_ms: null,
    keep_bytes: 1000,
    ...more,
  });
  return { dir, shell, how, runOf, log: () => Buffer.concat(parts).toString() };
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A zombie that this container's init does not reap is as dead as it gets. */
const gone = async (pid: number) =>
  !alive(pid) || / Z /.test(await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => " Z "));

describe("a script that can't be started", () => {
  const values: [string, Record<string, string>, RegExp][] = [
    ["a value with a NUL", { OJ_ARGS_X: "a\0b" }, /can't be started: OJ_ARGS_X contains a NUL character/],
    ["a value that is too long", { OJ_ARGS_X: "x".repeat(3_000_000) }, /can't be started: .*too long.*E2BIG/],
  ];
  for (const [name, given, reason] of values)
    it(`fails with the reason: ${name}`, async () => {
      const { shell, how, runOf } = await setup();
      const { exit_code, error } = await shell.run(runOf("true", { values: given }), how);
      assert.equal(exit_code, null);
      assert.match(error ?? "", reason);
    });
});

describe("the shell", () => {
  it("runs a script to its end in the given folder, with its values and environment", async () => {
    const { shell, how, runOf, dir, log } = await setup();
    const run = runOf('export -n OJ_V0; echo "$OJ_V0 $COLOUR $(pwd)"; echo problem >&2', {
      values: { OJ_V0: "a  b" },
      env: { COLOUR: "red" },
    });
    const outcome = await shell.run(run, how);
    assert.deepEqual(outcome, {
      run_id: RUN,
      job_id: "job-1",
      exit_code: 0,
      error: null,
      output: `a  b red ${dir}`,
    });
    assert.match(log(), /problem/);
  });

  it("stops at the first failing command, unset variable or failing part of a pipe", async () => {
    const { shell, how, runOf } = await setup();
    for (const script of ["false; echo no", "echo $NOT_SET; echo no", "false | true; echo no"]) {
      const outcome = await shell.run(runOf(script), how);
      assert.equal(outcome.exit_code, 1, script);
      assert.doesNotMatch(outcome.output, /no/);
    }
  });

  it("reports the exit code and the end of stderr", async () => {
    const { shell, how, runOf } = await setup();
    const outcome = await shell.run(runOf("echo out; echo because >&2; exit 7"), how);
    assert.equal(outcome.exit_code, 7);
    assert.equal(outcome.error, "exit code 7\nbecause");
  });

  it("reports a missing folder and a signal as errors", async () => {
    const { shell, how, runOf, dir } = await setup();
    assert.match(
      (await shell.run(runOf("true", { cwd: path.join(dir, "gone") }), how)).error ?? "",
      /gone does not exist/,
    );
    assert.equal((await shell.run(runOf("kill -9 $$"), how)).error, "killed by SIGKILL");
  });

  it("keeps the head or the tail within its limit and says what it left out", async () => {
    const { shell, how, runOf } = await setup();
    const script = "seq 1 2000";
    const tail = await shell.run(runOf(script), how);
    assert.match(tail.output, /^\(\d+ bytes before this were left out\) …\n/);
    assert.match(tail.output, /2000$/);
    const head = await shell.run(runOf(script), { ...how, keep: "head" });
    assert.match(head.output, /^1\n2\n/);
    assert.match(head.output, /more bytes were left out\)$/);
  });

  it("ends the whole process group when stopped, including what ignores a polite request", async () => {
    const { shell, how, runOf, dir } = await setup();
    const script = `trap '' TERM; (trap '' TERM; while :; do sleep 0.1; done) & echo $! > child; while :; do sleep 0.1; done`;
    const ending = shell.run(runOf(script), how);
    const child = path.join(dir, "child");
    await until(async () => (await fs.readFile(child, "utf8").catch(() => "")).trim() !== "");
    await shell.stop(RUN);
    assert.equal((await ending).error, "cancelled");
    const pid = Number(await fs.readFile(child, "utf8"));
    await until(() => gone(pid));
  });

  it("does the same where there is no ps", async () => {
    const { shell, how, runOf, dir } = await setup();
    const ending = shell.run(runOf("trap '' TERM; echo $$ >pid; while :; do sleep 0.1; done"), how);
    const read = () => fs.readFile(path.join(dir, "pid"), "utf8").catch(() => "");
    await until(async () => (await read()).trim() !== "");
    const { PATH } = process.env;
    process.env.PATH = "";
    try {
      await shell.stop(RUN);
    } finally {
      process.env.PATH = PATH;
    }
    assert.equal((await ending).error, "cancelled");
    await until(async () => gone(Number(await read())));
  });

  it("does not start a script that was stopped beforehand", async () => {
    const { shell, how, runOf, dir } = await setup();
    const ending = shell.run(runOf("touch ran"), how);
    await shell.stop(RUN);
    assert.equal((await ending).error, "cancelled");
    await assert.rejects(fs.access(path.join(dir, "ran")));
  });

  it("ends whatever a script left running", async () => {
    const { shell, how, runOf, dir } = await setup();
    const outcome = await shell.run(runOf("sleep 600 & echo $! > child"), how);
    assert.equal(outcome.exit_code, 0);
    const pid = Number(await fs.readFile(path.join(dir, "child"), "utf8"));
    await until(() => gone(pid));
  });

  it("ends a run that takes too long, and says so", async () => {
    const { shell, how, runOf } = await setup();
    const outcome = await shell.run(runOf("echo begun; sleep 600"), { ...how, timeoutMs: 3000 }); // it begins within that
    assert.equal(outcome.error, "timed out after 3 s");
    assert.equal(outcome.output, "begun");
  });

  it("waits for the reader of its output, so that a flood can't fill the memory", async () => {
    const { shell, how, runOf } = await setup();
    let held = 0;
    let most = 0;
    await shell.run(runOf("head -c 20000000 /dev/zero"), {
      ...how,
      onOutput: async (part) => {
        held += part.length;
        most = Math.max(most, held);
        await new Promise((resolve) => setImmediate(resolve));
        held -= part.length;
      },
    });
    assert.ok(most <= 2 * 1024 * 1024, `${most} bytes at once`);
  });

  it("ends everything when it closes, and each run says why", async () => {
    const { shell, how, runOf, dir } = await setup();
    const ending = shell.run(runOf("touch begun; sleep 600"), how);
    await until(() =>
      fs.access(path.join(dir, "begun")).then(
        () => true,
        () => false,
      ),
    );
    await shell.close();
    assert.match((await ending).error ?? "", /interrupted: the daemon was stopped/);
  });
});

describe("after a crash", () => {
  it("a run that never began is told apart from one that did, and whatever still lives is ended", async () => {
    const { shell, dir } = await setup();
    assert.equal(await shell.recover(RUN), "never-began");
    // what a killed daemon leaves behind: a script of ours, running in a group of its own
    await fs.mkdir(path.join(dir, "runs"), { recursive: true });
    const script = path.join(dir, "runs", `${RUN}.sh`);
    await fs.writeFile(script, `echo $$ >'${dir}/runs/${RUN}.begun'\nsleep 600\n`);
    const child = spawn("bash", [script], { detached: true, stdio: "ignore" });
    const exited = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    await until(
      async () =>
        (await fs.readFile(path.join(dir, `runs/${RUN}.begun`), "utf8").catch(() => "")).trim() !== "",
    );
    assert.equal(await shell.recover(RUN), "began");
    assert.equal(await exited, "SIGKILL");
    await shell.forget(RUN);
    assert.equal(await shell.recover(RUN), "never-began");
  });

  it("any run may have begun if the machine went down, whatever is missing", async () => {
    const { dir } = await setup();
    const next = bashShell({ dir: path.join(dir, "runs"), killAfterMs: 500, wentDown: true });
    assert.equal(await next.recover(RUN), "began");
  });

  it("a script that was about to start when the daemon died never starts once its run was taken over", async () => {
    const { shell: dead, how, runOf, dir } = await setup();
    const bin = path.join(dir, "bin");
    await fs.mkdir(bin);
    const slow = '#!/bin/sh\ntouch on-its-way\nwhile [ ! -e go ]; do sleep 0.02; done\nexec /bin/bash "$@"\n';
    await fs.writeFile(path.join(bin, "bash"), slow, { mode: 0o755 });
    const late = dead.run(runOf("echo $$ >>ran"), { ...how, env: { PATH: `${bin}:${env.PATH}` } });
    late.catch(() => undefined);
    const isThere = (name: string) =>
      fs.access(path.join(dir, name)).then(
        () => true,
        () => false,
      );
    await until(() => isThere("on-its-way"));
    const next = bashShell({ dir: path.join(dir, "runs"), killAfterMs: 500, wentDown: false });
    assert.equal(await next.recover(RUN), "never-began");
    await fs.writeFile(path.join(dir, "go"), "");
    await late.catch(() => undefined);
    assert.equal(await isThere("ran"), false);
    assert.equal((await next.run(runOf("echo $$ >>ran"), how)).exit_code, 0);
    assert.equal((await fs.readFile(path.join(dir, "ran"), "utf8")).trim().split("\n").length, 1);
    assert.equal(
      await bashShell({ dir: path.join(dir, "runs"), killAfterMs: 500, wentDown: false }).recover(RUN),
      "began",
    );
    await next.forget(RUN);
    assert.deepEqual(await fs.readdir(path.join(dir, "runs")), []);
  });

  it("a stranger that got the pid of our process is left alone", async () => {
    const { shell, dir } = await setup();
    const stranger = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    try {
      await fs.mkdir(path.join(dir, "runs"), { recursive: true });
      await fs.writeFile(path.join(dir, `runs/${RUN}.begun`), `${stranger.pid}\n`);
      assert.equal(await shell.recover(RUN), "began");
      assert.ok(alive(stranger.pid ?? 0));
    } finally {
      stranger.kill("SIGKILL");
    }
  });
});
