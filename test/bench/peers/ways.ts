/** Work that is done alike by all that have a daemon and start jobs. A job of ours makes a file: that is its end. */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { timed } from "../http.ts";
import type { Program } from "./commands.ts";
import { byCallers, endIn, memoryIn, timedCall, until } from "./commands.ts";
import type { Amounts, Once } from "./contestant.ts";

/** Starts a job that makes this file. */
export type StartJob = (file: string) => Promise<unknown>;

/** A daemon in a new folder each time. */
export function freshStart(dir: string, programIn: (dir: string) => Program, ...words: string[]): Once {
  let n = 0;
  return async () => {
    const own = path.join(dir, String(n++));
    const taken = await timedCall(programIn(own), ...words);
    await endIn(own);
    return taken;
  };
}

export async function idleMemory(dir: string): Promise<Once> {
  await sleep(2000); // what a start leaves for later is done by now
  return async () => memoryIn(dir);
}

/** Until the command has returned and the job has ended, whichever comes last. */
export function oneJob(dir: string, start: StartJob): Once {
  let n = 0;
  return () => timed(() => jobs(files(dir, `job-${n++}`, 1), 1, start));
}

export function manyJobs(dir: string, amounts: Amounts, start: StartJob): Once {
  let round = 0;
  return () => timed(() => jobs(files(dir, `many-${round++}`, amounts.jobs), amounts.callers, start));
}

export function finishedJobs(dir: string, amounts: Amounts, start: StartJob): Promise<void> {
  return jobs(files(dir, "finished", amounts.finished), amounts.callers, start);
}

async function jobs(all: readonly string[], callers: number, start: StartJob): Promise<void> {
  await byCallers(
    callers,
    all.map((file) => () => start(file)),
  );
  await until("the end of the jobs", () => all.every((it) => fs.existsSync(it)));
}

function files(dir: string, name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => path.join(dir, `${name}-${n}`));
}
