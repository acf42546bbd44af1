/** Runs scripts with bash, each in its own process group, and knows after a crash which of them had begun. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { ShellOutcome } from "../../core/control/job.ts";
import type { RunId } from "../../core/model/ids.ts";
import type { Script, Shell, ShellManner } from "../../ports.ts";
import { endGroup, isGone } from "../processes/group.ts";
import { sharedLook } from "../processes/list.ts";
import { killStep } from "../processes/step-processes.ts";
import { systemClock } from "../system/clock.ts";
import { keeper } from "./keeper.ts";
import { leftFiles, pidIn } from "./run-files.ts";

const STDERR_BYTES = 2048;

/** How long a stop waits for what can't be ended. Such a run is not reported; the next daemon takes it up again. */
const CLOSE_MS = 10_000;

/** The exit code of a script that could not note that it had begun. Nothing of it ran. */
const NOT_BEGUN = 125;

interface Running {
  /** Null until its process is there. */
  pid: number | null;
  /** Why it is being ended, once it is. */
  reason: string | null;
  ended: Promise<void>;
}

/**
 * `dir` has, for each run under way, its script and a file that says the script has begun. `wentDown`: the machine went down since, and
 * such a file may have been lost unsynced, so every run that was left may have begun, until `settle`.
 */
export function bashShell(input: {
  dir: string;
  killAfterMs: number;
  wentDown: boolean;
  settle?(): void;
}): Shell {
  let { wentDown } = input;
  const running = new Map<RunId, Running>();
  /** This daemon's scripts, as opposed to the previous one's: a process of that one may still be about to start its own. */
  const mine = randomBytes(4).toString("hex");
  const fileOf = (id: RunId, kind: "sh" | "begun") => path.join(input.dir, `${id}.${mine}.${kind}`);
  const left = leftFiles(input.dir);
  const look = sharedLook();

  async function run(shellRun: Script, how: ShellManner): Promise<ShellOutcome> {
    let over = () => {};
    const own: Running = { pid: null, reason: null, ended: new Promise((resolve) => (over = resolve)) };
    running.set(shellRun.run_id, own); // at once: a stop must never come too early for its run
    try {
      return await runAs(own, shellRun, how);
    } finally {
      running.delete(shellRun.run_id);
      over();
    }
  }

  async function runAs(own: Running, shellRun: Script, how: ShellManner): Promise<ShellOutcome> {
    const { run_id, job_id, cwd } = shellRun;
    const failed = (error: string): ShellOutcome => ({ run_id, job_id, exit_code: null, error, output: "" });
    const folder = await fs.stat(cwd).catch(() => null);
    if (!folder?.isDirectory()) return failed(`the folder ${cwd} does not exist`);
    const [script, begun] = [fileOf(run_id, "sh"), fileOf(run_id, "begun")];
    await fs.mkdir(input.dir, { recursive: true, mode: 0o700 });
    await fs.rm(begun, { force: true }); // from an attempt that could not begin
    await fs.writeFile(script, scriptText(shellRun.script, begun, how), { mode: 0o600 });
    if (own.reason !== null) return failed(own.reason);

    const env = { ...how.env, ...shellRun.env, ...shellRun.values, OJ_RUN: run_id };
    const held = Object.entries(env).find(([name, value]) => `${name}${value}`.includes("\0"));
    if (held)
      return failed(`it can't be started: ${held[0]} contains a NUL character, which a variable can't hold`);
    const child = spawned(script, cwd, env);
    if (child === null) return failed(TOO_LONG);
    const { pid } = child;
    if (pid === undefined) {
      const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once("error", resolve));
      if (/^(?:EMFILE|ENFILE|EAGAIN|ENOMEM)$/.test(error.code ?? "")) throw error; // a matter of time
      return failed(error.message);
    }

    own.pid = pid;
    const kept = keeper(how.keepBytes, how.keep);
    const errors = keeper(STDERR_BYTES, "tail");
    const drained = Promise.all([pump(child.stdout, how, kept.add), pump(child.stderr, how, errors.add)]);
    const late =
      how.timeoutMs === null
        ? null
        : systemClock.after(
            how.timeoutMs,
            () => void end(own, `timed out after ${(how.timeoutMs ?? 0) / 1000} s`),
          );
    const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    late?.();
    await untilGone(pid, shellRun.run_id, how); // what the script left running goes with it
    // A run that was stopped leaves nothing behind, not even in a session of its own; one that ended by itself may.
    if (own.reason !== null)
      await killStep({ run_id, scripts: [], leaders: [] }, look).catch((error: Error) =>
        how.onOutput(Buffer.from(`── ${error.message}\n`)),
      );
    await drained;
    if (code === NOT_BEGUN && (await pidIn(begun)) === null)
      throw new Error(`the script could not be started: ${errors.text()}`);
    const error =
      own.reason ??
      (signal ? `killed by ${signal}` : code === 0 ? null : withErrors(`exit code ${code}`, errors.text()));
    return { run_id, job_id, exit_code: code, error, output: kept.text() };
  }

  /** Returns only when the group is gone: no outcome is reported for a run that still runs. */
  async function untilGone(pid: number, run_id: RunId, how: ShellManner): Promise<void> {
    if (await endGroup(pid, input.killAfterMs)) return;
    await how.onOutput(Buffer.from(`── process group ${pid} of ${run_id} was killed but is still running\n`));
    while (!(await isGone(pid, 60_000)));
  }

  async function end(own: Running, reason: string): Promise<void> {
    own.reason ??= reason;
    if (own.pid !== null) await endGroup(own.pid, input.killAfterMs);
    await own.ended;
  }

  return {
    run,
    async stop(run_id) {
      const own = running.get(run_id);
      if (own) await end(own, "cancelled");
    },
    async recover(run_id) {
      const { scripts, leaders, began } = await left.takeOver(run_id);
      if (scripts.length > 0) await killStep({ run_id, scripts, leaders }, look);
      return wentDown || (await began()) ? "began" : "never-began";
    },
    async tookOver() {
      input.settle?.();
      wentDown = false;
    },
    left: (before_ms) => left.runs(before_ms),
    forget: (run_id) => left.forget(run_id, path.join(input.dir, `${run_id}.${mine}`)),
    async close() {
      const reason = "interrupted: the daemon was stopped while this step was running";
      const ended = Promise.all([...running.values()].map((own) => end(own, reason)));
      let late: NodeJS.Timeout | undefined;
      await Promise.race([
        ended,
        new Promise((resolve) => (late = setTimeout(resolve, input.killAfterMs + CLOSE_MS))),
      ]);
      clearTimeout(late);
    },
  };
}

/**
 * The first thing a script does is create the file that says it has begun, and only one can create it (noclobber): the script, or a later
 * daemon that found it missing.
 */
function scriptText(script: string, begun: string, { mark = null, oneStream = false }: ShellManner): string {
  const file = `'${begun.replaceAll("'", `'\\''`)}'`;
  const limit = mark === null ? "" : `ulimit -q ${mark} 2>/dev/null || :; `;
  return `${limit}set -C; echo $$ >${file} || exit ${NOT_BEGUN}; set +C\n${oneStream ? "exec 2>&1; " : ""}set -euo pipefail\n${script}\n`;
}

const TOO_LONG =
  "it can't be started: its values are too long for the system to pass to a program (E2BIG); pass a long one in a file";

/** Null: it would never start, however often it is tried. */
function spawned(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  try {
    return spawn("bash", [script], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"], env });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "E2BIG") return null;
    throw error;
  }
}

async function pump(
  stream: NodeJS.ReadableStream,
  how: ShellManner,
  keep: (part: Buffer) => void,
): Promise<void> {
  try {
    for await (const part of stream) {
      keep(part as Buffer);
      await how.onOutput(part as Buffer);
    }
  } catch {
    // the pipe broke with its process: what was read is what there is
  }
}

function withErrors(error: string, stderr: string): string {
  return stderr === "" ? error : `${error}\n${stderr}`;
}
