/** Command lines of others: run, timed, and everything that they leave running ended. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { processesOf } from "../../leftovers.ts";
import { timed } from "../http.ts";

const PATIENCE_MS = 180_000;

/** A program in an environment of its own. That must name a folder of the benchmark: so its processes are found. */
export interface Program {
  file: string;
  cwd: string;
  env: Record<string, string>;
}

/** Any exit code but 0 is a failure, and so is not having ended after three minutes. */
export async function call({ file, cwd, env }: Program, ...args: string[]): Promise<void> {
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  await ended(child, "exit", [file, ...args]); // not "close": a daemon that it starts may hold its output open
}

/** What it wrote. Not for commands that leave something running. */
export async function answerOf({ file, cwd, env }: Program, ...args: string[]): Promise<string> {
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (part) => {
    output += part;
  });
  await ended(child, "close", [file, ...args]);
  return output;
}

export const timedCall = (program: Program, ...args: string[]) => timed(() => call(program, ...args));

function ended(child: ChildProcess, on: "exit" | "close", words: string[]): Promise<void> {
  let errors = "";
  child.stderr?.on("data", (part) => {
    errors = (errors + part).slice(-1000);
  });
  const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once(on, (code: number | null, signal: string | null) => {
      clearTimeout(late);
      child.stderr?.destroy();
      if (code === 0) resolve();
      else reject(new Error(`${words.join(" ")}: ${signal ?? `exit ${code}`}: ${errors.trim()}`));
    });
  });
}

export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; !holds(); await sleep(2))
    if (performance.now() > deadline) throw new Error(`${what}: not within three minutes`);
}

/** All of them, by so many callers at once, each one after the other. */
export async function byCallers(callers: number, works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = works.values();
  const caller = async () => {
    for (const work of left) await work();
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/** Ends every process that has to do with this folder, at once, and waits until they are gone. */
export async function endIn(dir: string): Promise<void> {
  await until(`ending what runs in ${dir}`, () => {
    for (const { pid } of processesOf(dir)) kill(pid);
    return processesOf(dir).length === 0;
  });
}

export async function killed(pid: number): Promise<void> {
  kill(pid);
  await until(`the end of ${pid}`, () => !fs.existsSync(`/proc/${pid}`));
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it ended by itself
  }
}

/** What stays in memory of everything that runs in this folder. */
export function memoryIn(dir: string): number {
  return processesOf(dir)
    .map(({ pid }) => /^VmRSS:\s+(\d+) kB/m.exec(statusOf(pid))?.[1])
    .reduce((sum, kilobytes) => sum + Number(kilobytes ?? 0) * 1024, 0);
}

function statusOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return ""; // it has ended meanwhile
  }
}
