/** `oj` itself and, with OJ_PEER, the original in Rust: the same words, but for what the original does not have. */
import fs from "node:fs";
import path from "node:path";
import { timed } from "../http.ts";
import type { Program } from "./commands.ts";
import { answerOf, call, killed, timedCall } from "./commands.ts";
import type { Amounts, Contestant, Once, Way } from "./contestant.ts";
import { finishedJobs, freshStart, idleMemory, manyJobs, oneJob } from "./ways.ts";

/** A job of one shell step, which makes a file. Both can read it. */
const RUNBOOK = `command "mark" {
  args = "<file>"
  run  = { job = "mark" }
}

job "mark" {
  vars = ["file"]

  step "make" {
    run = ": > \${var.file}"
  }
}
`;

export interface Built {
  name: string;
  /** The program `oj`. The original finds its daemon beside it. */
  file: string;
  /** Compiled code is kept here from one work to the next, as it is for anybody who uses `oj` daily. */
  cache: string;
}

/** Ours. */
export async function oddjobs(built: Built, amounts: Amounts): Promise<Contestant> {
  await warm(built);
  let asker = 0; // each has one pending request at a time
  const request = () => {
    const options = ["--option", "A", "--option", "B", "--as", `asker-${asker++}`];
    return ["decision", "request", "--prompt", "Which?", ...options];
  };
  return {
    name: built.name,
    works: {
      ...shared(built, amounts, { wait: ["--wait"], again: [["decision", "list"]] }),
      list: running(built, "oj decision list", async (_, program) => {
        for (let n = 0; n < amounts.pending; n++) await call(program, ...request());
        return () => timedCall(program, "decision", "list");
      }),
      question: running(built, "oj decision request; oj decision resolve ID 1", async (_, program) => {
        return () =>
          timed(async () => {
            const id = (await answerOf(program, ...request())).trim();
            await call(program, "decision", "resolve", id, "1");
          });
      }),
    },
  };
}

/** Only agents make decisions there, so its list is empty and no command puts a question. */
export function original(built: Built, amounts: Amounts): Contestant {
  return {
    name: built.name,
    works: {
      // whether its `list` starts a daemon, its documents leave open
      ...shared(built, amounts, {
        wait: [],
        again: [
          ["daemon", "start"],
          ["decision", "list"],
        ],
      }),
      list: running(built, "oj decision list (nothing is pending)", async (_, program) => {
        return () => timedCall(program, "decision", "list");
      }),
    },
  };
}

interface Differences {
  /** What makes `oj run` stay until the job has ended. The original's looks every 500 ms whether it has begun. */
  wait: readonly string[];
  /** What gets the first answer when the daemon was killed. */
  again: readonly (readonly string[])[];
}

function shared(built: Built, amounts: Amounts, { wait, again }: Differences): Contestant["works"] {
  const at = (dir: string) => programIn(built, dir);
  const run = (program: Program, more: readonly string[]) => (file: string) =>
    call(program, "run", "mark", file, ...more);
  const words = ["oj run mark FILE", ...wait].join(" ");
  return {
    version: { words: "oj --version", begin: async (dir) => () => timedCall(at(dir), "--version") },
    start: { words: "oj daemon start", begin: async (dir) => freshStart(dir, at, "daemon", "start") },
    memory: running(built, "oj daemon start", async (dir, program) => {
      await call(program, "decision", "list");
      return idleMemory(dir);
    }),
    recover: running(built, again.map((it) => `oj ${it.join(" ")}`).join("; "), async (dir, program) => {
      await finishedJobs(dir, amounts, run(program, wait));
      return async () => {
        await killed(daemonOf(program));
        return timed(async () => {
          for (const it of again) await call(program, ...it);
        });
      };
    }),
    job: running(built, words, async (dir, program) => oneJob(dir, run(program, wait))),
    many: running(built, "oj run mark FILE", async (dir, program) => {
      return manyJobs(dir, amounts, run(program, []));
    }),
  };
}

/** With a daemon in that folder. */
function running(built: Built, words: string, begin: (dir: string, program: Program) => Promise<Once>): Way {
  return {
    words,
    async begin(dir) {
      const program = programIn(built, dir);
      await call(program, "daemon", "start");
      return begin(dir, program);
    },
  };
}

/** As after a day of use: what V8 has compiled is kept when a program ends by itself. */
async function warm(built: Built): Promise<void> {
  const dir = path.join(built.cache, "warm");
  const program = programIn(built, dir);
  await call(program, "daemon", "start");
  await call(program, "decision", "list");
  await call(program, "run", "mark", path.join(dir, "mark"), "--wait");
  await call(program, "daemon", "stop");
}

function programIn({ file, cache }: Built, dir: string): Program {
  const [project, config] = [path.join(dir, "project"), path.join(dir, "config/oj")];
  fs.mkdirSync(path.join(project, ".oj/runbooks"), { recursive: true });
  fs.writeFileSync(path.join(project, ".oj/runbooks/mark.hcl"), RUNBOOK);
  fs.mkdirSync(path.join(dir, "state"), { recursive: true, mode: 0o700 });
  fs.mkdirSync(config, { recursive: true });
  fs.writeFileSync(path.join(config, "config.toml"), "[limits]\nrequests_per_minute = 1000000000\n");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    USER: "bench",
    XDG_CONFIG_HOME: path.join(dir, "config"),
    XDG_CACHE_HOME: cache,
    OJ_STATE_DIR: path.join(dir, "state"),
  };
  return { file, cwd: project, env };
}

function daemonOf({ env }: Program): number {
  return Number(fs.readFileSync(path.join(env.OJ_STATE_DIR ?? "", "daemon.pid"), "utf8"));
}
