/** `bd`: issues that agents keep for themselves, in a database in the repository. It has no daemon. */

import fs from "node:fs";
import path from "node:path";
import { timed } from "../http.ts";
import type { Program } from "./commands.ts";
import { answerOf, call, timedCall } from "./commands.ts";
import type { Amounts, Contestant } from "./contestant.ts";

export function bd(name: string, file: string, { pending }: Amounts): Contestant {
  return {
    name,
    works: {
      version: {
        words: "bd --version",
        begin: async (dir) => () => timedCall(programIn(file, dir), "--version"),
      },
      list: {
        words: "bd list --json",
        begin: async (dir) => {
          const program = await repository(file, dir);
          for (let n = 0; n < pending; n++) await create(program, n);
          return () => timedCall(program, "list", "--json");
        },
      },
      question: {
        words: "bd create -t decision; bd close ID",
        begin: async (dir) => {
          const program = await repository(file, dir);
          let n = 0;
          return () =>
            timed(async () => {
              const id = await create(program, n++);
              await call(program, "close", id, "--reason", "A");
            });
        },
      },
    },
  };
}

async function create(program: Program, n: number): Promise<string> {
  const made = await answerOf(program, "create", "-t", "decision", `--title=Which, ${n}?`, "--json");
  return (JSON.parse(made) as { id: string }).id;
}

async function repository(file: string, dir: string): Promise<Program> {
  const program = programIn(file, dir);
  const git = { ...program, file: "git" };
  await call(git, "init", "-q");
  await call(git, "config", "user.email", "bench@localhost");
  await call(git, "config", "user.name", "bench");
  await call(program, "init", "--stealth", "--quiet");
  return program;
}

function programIn(file: string, dir: string): Program {
  fs.mkdirSync(dir, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    BEADS_DIR: path.join(dir, ".beads"),
    BD_ACTOR: "bench",
    BD_NON_INTERACTIVE: "1",
    BD_JSON_ENVELOPE: "0",
    BD_DISABLE_METRICS: "1",
    DO_NOT_TRACK: "1",
  };
  return { file, cwd: dir, env };
}
