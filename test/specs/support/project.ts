/**
 * The product as a black box: a project in a temporary folder, with a state folder, a home and a daemon of its own.
 *
 *     const project = await tempProject({ ".oj/runbooks/a.hcl": `…` });
 *     const { stdout, stderr, code } = await project.run("job", "list");
 *     const job = await project.until(async () => (await project.json<Job[]>("job", "list")).find(…));
 *
 * It is closed when the test ends: the daemon is stopped by its pid, and a process that was left behind fails the test.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

export const OJ = path.join(import.meta.dirname, "../../../dist/oj.cjs");

/** Long enough for a loaded machine; nobody waits that long when all is well. */
const PATIENCE_MS = 90_000;

const KNOWS_PROCESSES = fs.existsSync("/proc/self/environ");

export interface Finished {
  stdout: string;
  stderr: string;
  code: number;
}

/** A command that was started and keeps running. */
export interface Running {
  pid: number;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Finished>;
}

export interface Project {
  /** Where commands are called, what they keep, and whose settings they read. */
  dir: string;
  stateDir: string;
  home: string;
  env: Record<string, string>;
  run(...args: string[]): Promise<Finished>;
  /** Runs with `-o json`, expects exit code 0, and returns what was printed. */
  json<T>(...args: string[]): Promise<T>;
  start(...args: string[]): Running;
  /** Writes files into the project. */
  write(files: Record<string, string>): void;
  until: typeof until;
  /** The pid of the daemon, as the state folder and /proc have it; null when none runs. */
  daemonPid(): Promise<number | null>;
}

export interface Given {
  /** More of the environment, or other values for what it has. */
  env?: Record<string, string>;
  /** Commands run as this user; only root may say so. */
  user?: User;
}

interface User {
  uid: number;
  gid: number;
}

export async function tempProject(files: Record<string, string> = {}, given: Given = {}): Promise<Project> {
  const { user } = given;
  const temporary = user ? "/tmp" : fs.realpathSync(os.tmpdir()); // the folder of the tests is private
  const folder = fs.mkdtempSync(path.join(temporary, "oj-spec-"));
  const at = (name: string) => path.join(folder, name);
  const [dir, stateDir, home] = [at("shop"), at("state"), at("home")];
  for (const it of [dir, home]) fs.mkdirSync(it);
  if (user) for (const it of [folder, dir, home]) fs.chownSync(it, user.uid, user.gid);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    OJ_STATE_DIR: stateDir,
    OJ_USER: "ana",
    LANG: "C.UTF-8",
    TMPDIR: temporary,
    ...(process.env.OJ_TEST_CACHE && !user ? { XDG_CACHE_HOME: process.env.OJ_TEST_CACHE } : {}),
    ...given.env,
  };
  const started: Running[] = [];
  const start = (...args: string[]) => {
    const running = startOj(args, dir, env, OJ, user);
    started.push(running);
    return running;
  };
  const run = (...args: string[]) => start(...args).ended;
  const project: Project = {
    dir,
    stateDir,
    home,
    env,
    run,
    start,
    until,
    async json<T>(...args: string[]) {
      const { stdout, stderr, code } = await run(...args, "-o", "json");
      assert.equal(code, 0, `oj ${args.join(" ")}: ${stdout}${stderr}`);
      return JSON.parse(stdout) as T;
    },
    write(added) {
      for (const [name, text] of Object.entries(added)) {
        fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
        fs.writeFileSync(path.join(dir, name), text);
      }
    },
    async daemonPid() {
      if (KNOWS_PROCESSES) return runningDaemon(env.OJ_STATE_DIR); // a test may have moved it
      const { stdout } = await run("daemon", "status", "-o", "json");
      return (JSON.parse(stdout) as { pid: number | null }).pid;
    },
  };
  project.write(files);
  onTestFinished(async () => {
    for (const it of started) it.kill("SIGKILL"); // those that a failed test did not see to the end
    if (!KNOWS_PROCESSES) await run("daemon", "stop", "--kill");
    const left = await endAll(folder, path.join(stateDir, "tmux.sock"));
    for (const { pid } of left) end(pid, "SIGKILL");
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    assert.deepEqual(left, [], "processes were left behind");
  });
  return project;
}

/** Asks until there is an answer, and returns it. A failure shows the last answer or error. */
export async function until<T>(
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what = "it",
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const began = Date.now();
  for (let trouble: unknown; ; await sleep(pauseAfter(Date.now() - began))) {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
      trouble = answer;
    } catch (error) {
      trouble = error;
    }
    if (Date.now() > began + patienceMs)
      throw new Error(`${what} did not happen within ${patienceMs / 1000} s`, { cause: trouble });
  }
}

/** Rarer in a long wait: a look often takes a process of its own, and several tests wait at the same time. */
function pauseAfter(waitedMs: number): number {
  return Math.min(25 + waitedMs / 20, 150);
}

export function startOj(
  args: string[],
  cwd: string,
  env: Record<string, string>,
  oj = OJ,
  user: User | undefined = undefined,
): Running {
  const child = spawn(process.execPath, [oj, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part) => {
    stdout += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part) => {
    stderr += part;
  });
  const ended = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve({ stdout, stderr, code: code ?? 128 + os.constants.signals[signal ?? "SIGKILL"] }),
    );
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => child.kill(signal),
    ended,
  };
}

/** Agents outlive their daemon; a test's must not outlive the test. */
function endTerminals(socket: string): Promise<void> {
  if (!fs.existsSync(socket)) return Promise.resolve();
  return new Promise((resolve) => {
    spawn("tmux", ["-S", socket, "kill-server"], { stdio: "ignore" })
      .once("error", () => resolve()) // without tmux there are no terminals
      .once("close", () => resolve());
  });
}

/** A daemon that is asked to stop needs less, even on a busy machine. */
const LATE_MS = 15_000;

interface Process {
  pid: number;
  command: string;
}

/** Processes whose environment names the folder: the daemon and whatever jobs started. Linux only. */
function processesOf(folder: string): Process[] {
  if (!KNOWS_PROCESSES) return [];
  return fs.readdirSync("/proc").flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || !fs.readFileSync(`/proc/${name}/environ`, "utf8").includes(folder))
        return [];
      return [
        {
          pid: Number(name),
          command: fs.readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
        },
      ];
    } catch {
      return []; // it ended meanwhile, or is not ours
    }
  });
}

/** Until nothing is left: a command of an agent that finds the daemon stopped starts another. Returns what is left after a while. */
async function endAll(folder: string, tmux: string): Promise<Process[]> {
  const began = Date.now();
  const asked = new Set<number>();
  for (;;) {
    const left = processesOf(folder);
    const daemons = left.filter((it) => it.command.includes("daemon.cjs"));
    const isLate = Date.now() - began > LATE_MS;
    for (const { pid } of daemons.filter((it) => isLate || !asked.has(it.pid))) {
      asked.add(pid);
      end(pid, isLate ? "SIGKILL" : "SIGTERM");
    }
    if (daemons.length === 0) await endTerminals(tmux);
    // tmux 3.3a may wait forever for the connection of a daemon that was killed; the next daemon would end it
    if (isLate) for (const { pid, command } of left) if (command.startsWith("tmux ")) end(pid, "SIGKILL");
    if (left.length === 0 || Date.now() - began > 4 * LATE_MS) return left;
    await untilOneEnded(left);
  }
}

/** Or a quarter of a second. Asking for a few is cheap; looking through all processes of the machine is not. */
async function untilOneEnded(some: Process[]): Promise<void> {
  for (let tries = 0; tries < 25 && some.every((it) => isAlive(it.pid)); tries++) await sleep(10);
}

/** Hundreds of tests ask, and `oj daemon status` would be a program each time. */
function runningDaemon(stateDir: string): number | null {
  try {
    const pid = Number(fs.readFileSync(path.join(stateDir, "daemon.pid"), "utf8"));
    return pid > 1 && fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("daemon.cjs") ? pid : null;
  } catch {
    return null; // none was started, or it has ended
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has just ended
  }
}
