/** Task Spooler: a queue of shell commands, kept in the memory of its server. A kill loses it. */
import fs from "node:fs";
import path from "node:path";
import type { Program } from "./commands.ts";
import { call, timedCall } from "./commands.ts";
import type { Amounts, Contestant } from "./contestant.ts";
import { freshStart, idleMemory, manyJobs, oneJob } from "./ways.ts";

export function tsp(name: string, file: string, amounts: Amounts): Contestant {
  const single = (dir: string) => programIn(file, dir, 1);
  const mark = (at: string) => ["-n", "sh", "-c", `: > ${at}`];
  return {
    name,
    works: {
      version: { words: "tsp -V", begin: async (dir) => () => timedCall(single(dir), "-V") },
      list: {
        words: "tsp (one runs, the others wait)",
        async begin(dir) {
          const program = single(dir);
          for (let n = 0; n < amounts.pending; n++) await call(program, "-n", "sleep", "100000");
          return () => timedCall(program);
        },
      },
      start: { words: "tsp", begin: async (dir) => freshStart(dir, single) },
      memory: {
        words: "tsp",
        async begin(dir) {
          await call(single(dir));
          return idleMemory(dir);
        },
      },
      job: {
        words: "tsp -f sh -c ': > FILE'",
        async begin(dir) {
          const program = programIn(file, dir, amounts.callers);
          await call(program);
          return oneJob(dir, (at) => call(program, "-f", ...mark(at)));
        },
      },
      many: {
        words: "tsp sh -c ': > FILE'",
        async begin(dir) {
          const program = programIn(file, dir, amounts.callers);
          await call(program);
          return manyJobs(dir, amounts, (at) => call(program, ...mark(at)));
        },
      },
    },
  };
}

/** @param slots  how many jobs run at once */
function programIn(file: string, dir: string, slots: number): Program {
  fs.mkdirSync(dir, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    TMPDIR: dir,
    TS_SOCKET: path.join(dir, "tsp.sock"),
    TS_SLOTS: String(slots),
  };
  return { file, cwd: dir, env };
}
