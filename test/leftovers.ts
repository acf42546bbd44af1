/**
 * A test run may leave nothing behind: no process (daemon, tmux server, agent), no socket, no file. Everything is below one temporary
 * folder and is recognized by that. Leftovers make the run fail: processes are ended, files stay for inspection.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 60_000;

export function setup(): (() => Promise<void>) | undefined {
  if (process.env.OJ_TEST_RUN !== undefined) return undefined; // another project in the same run has taken care of it
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "oj-run-"));
  process.env.TMPDIR = folder;
  process.env.OJ_TEST_RUN = folder;
  process.env.NODE_DISABLE_COMPILE_CACHE = "1"; // npm keeps compiled code in the temporary folder from Node 22 on
  const cache = fs.mkdtempSync(path.join(path.dirname(folder), "oj-cache-"));
  process.env.OJ_TEST_CACHE = cache; // otherwise every test's own home would have `oj` compiled again
  return async () => {
    const left = await endLeftovers(folder, PATIENCE_MS);
    fs.rmSync(cache, { recursive: true, force: true });
    if (left.length === 0) return fs.rmSync(folder, { recursive: true, force: true });
    process.exitCode = 1; // vitest only prints what is thrown here
    throw new Error(`the tests left behind:\n${left.join("\n")}`);
  };
}

/** What is still there after that time: processes, which are ended now, and files. */
export async function endLeftovers(folder: string, patienceMs: number): Promise<string[]> {
  const deadline = Date.now() + patienceMs;
  while (leftIn(folder).length > 0 && Date.now() < deadline) await sleep(50);
  const left = leftIn(folder);
  for (const { pid } of processesOf(folder)) end(pid);
  return left;
}

function leftIn(folder: string): string[] {
  const files = fs.readdirSync(folder, { encoding: "utf8" }).map((it) => path.join(folder, it));
  return [...processesOf(folder).map(({ pid, command }) => `${pid} ${command}`), ...files];
}

/** Those that name something in the folder, in their arguments or their environment. Linux only. */
export function processesOf(folder: string): { pid: number; command: string }[] {
  if (!fs.existsSync("/proc/self/environ")) return [];
  return fs.readdirSync("/proc").flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
      const [command, env] = ["cmdline", "environ"].map((it) =>
        fs.readFileSync(`/proc/${name}/${it}`, "utf8"),
      );
      if (!`${command}${env}`.includes(`${folder}/`)) return [];
      return [{ pid: Number(name), command: (command ?? "").replaceAll("\0", " ").trim() }];
    } catch {
      return []; // it has ended meanwhile, or belongs to somebody else
    }
  });
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it ended by itself
  }
}
