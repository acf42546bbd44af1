/** Runs scripts with bash, each in a process group of its own, and knows after a crash which of them had begun. */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import type { ShellRun } from "../core/effects.ts";
import type { RunId } from "../core/ids.ts";
import type { ShellOutcome } from "../core/job.ts";
import type { Shell, ShellManner } from "../daemon/ports.ts";
import { keeper } from "./keeper.ts";
import { endGroup, groupOf, killGroup } from "./process-group.ts";

const STDERR_BYTES = 2048;

interface Running {
  pid: number;
  /** Why it is being ended, once it is. */
  reason: string | null;
  ended: Promise<void>;
}

/** `dir` holds, for each run under way, its script and a file that says the script has begun. */
export function bashShell(input: { dir: string; killAfterMs: number }): Shell {
  const running = new Map<RunId, Running>();
  const scriptOf = (id: RunId) => path.join(input.dir, `${id}.sh`);
  const begunOf = (id: RunId) => path.join(input.dir, `${id}.begun`);

  async function run(shellRun: ShellRun, how: ShellManner): Promise<ShellOutcome> {
    const { run_id, job_id, cwd } = shellRun;
    const failed = (error: string): ShellOutcome => ({ run_id, job_id, exit_code: null, error, output: "" });
    const folder = await fs.stat(cwd).catch(() => null);
    if (!folder?.isDirectory()) return failed(`the folder ${cwd} is not there`);
    await fs.mkdir(input.dir, { recursive: true, mode: 0o700 });
    await fs.writeFile(scriptOf(run_id), scriptText(shellRun.script, begunOf(run_id)), { mode: 0o600 });

    const child = spawn("bash", [scriptOf(run_id)], {
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...how.env, ...shellRun.env, ...shellRun.values, OJ_RUN: run_id },
    });
    const { pid } = child;
    if (pid === undefined)
      return failed(await new Promise((resolve) => child.once("error", (it) => resolve(it.message))));

    const kept = keeper(how.keepBytes, how.keep);
    const errors = keeper(STDERR_BYTES, "tail");
    const drained = Promise.all([pump(child.stdout, how, kept.add), pump(child.stderr, how, errors.add)]);
    let over = () => {};
    const own: Running = { pid, reason: null, ended: new Promise((resolve) => (over = resolve)) };
    running.set(run_id, own);
    const late =
      how.timeoutMs === null
        ? null
        : setTimeout(() => void end(own, `timed out after ${(how.timeoutMs ?? 0) / 1000} s`), how.timeoutMs);
    const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    if (late) clearTimeout(late);
    await endGroup(pid, input.killAfterMs); // what the script left running goes with it
    await drained;
    running.delete(run_id);
    over();
    const error =
      own.reason ??
      (signal ? `killed by ${signal}` : code === 0 ? null : withErrors(`exit code ${code}`, errors.text()));
    return { run_id, job_id, exit_code: code, error, output: kept.text() };
  }

  async function end(own: Running, reason: string): Promise<void> {
    own.reason ??= reason;
    await endGroup(own.pid, input.killAfterMs);
    await own.ended;
  }

  return {
    run,
    async stop(run_id) {
      const own = running.get(run_id);
      if (own) await end(own, "cancelled");
    },
    async recover(run_id) {
      const text = await fs.readFile(begunOf(run_id), "utf8").catch(() => null);
      if (text === null) return "never-began";
      const pid = Number(text);
      if (Number.isInteger(pid) && pid > 1 && (await groupOf(pid, run_id))) await killGroup(pid);
      return "began";
    },
    async forget(run_id) {
      await fs.rm(scriptOf(run_id), { force: true });
      await fs.rm(begunOf(run_id), { force: true });
    },
    async close() {
      const reason = "interrupted: the daemon was stopped while this step ran";
      await Promise.all([...running.values()].map((own) => end(own, reason)));
    },
  };
}

/** The first thing a script does is to say that it has begun: without that file it never did anything. */
function scriptText(script: string, begun: string): string {
  const file = `'${begun.replaceAll("'", `'\\''`)}'`;
  return `echo $$ >${file}\nset -euo pipefail\n${script}\n`;
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
