/** pm2: keeps programs running. Its daemon is written for Node, as ours is. A kill loses what was not saved. */
import fs from "node:fs";
import path from "node:path";
import type { Program } from "./commands.ts";
import { call, timedCall } from "./commands.ts";
import type { Amounts, Contestant, Once, Way } from "./contestant.ts";
import { freshStart, idleMemory, manyJobs, oneJob } from "./ways.ts";

export function pm2(name: string, file: string, amounts: Amounts): Contestant {
  const at = (dir: string) => programIn(file, dir);
  const running = (words: string, begin: (dir: string, program: Program) => Promise<Once>): Way => ({
    words,
    async begin(dir) {
      await call(at(dir), "ping");
      return begin(dir, at(dir));
    },
  });
  const words = "pm2 start sh --no-autorestart -- -c ': > FILE'";
  return {
    name,
    works: {
      version: running("pm2 --version (asks its daemon)", async (_, program) => {
        return () => timedCall(program, "--version");
      }),
      list: running("pm2 jlist (programs that have ended)", async (dir, program) => {
        for (let n = 0; n < amounts.pending; n++) await mark(program, path.join(dir, `mark-${n}`));
        return () => timedCall(program, "jlist");
      }),
      start: { words: "pm2 ping", begin: async (dir) => freshStart(dir, at, "ping") },
      memory: running("pm2 ping", idleMemory),
      job: running(words, async (dir, program) => oneJob(dir, (file) => mark(program, file))),
      many: running(words, async (dir, program) => manyJobs(dir, amounts, (file) => mark(program, file))),
    },
  };
}

function mark(program: Program, file: string): Promise<void> {
  const how = ["--no-autorestart", "--interpreter", "none", "--name", path.basename(file)];
  return call(program, "start", "/bin/sh", ...how, "--", "-c", `: > ${file}`);
}

function programIn(file: string, dir: string): Program {
  fs.mkdirSync(dir, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    PM2_HOME: path.join(dir, "pm2"),
    PM2_DISABLE_VERSION_CHECK: "true",
  };
  return { file, cwd: dir, env };
}
