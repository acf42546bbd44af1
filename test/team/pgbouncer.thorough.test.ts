/** A daemon behind pgbouncer: in transaction mode LISTEN gives no error, and no notice ever comes. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { pgbouncer, whyNoPgbouncer } from "../fakes/servers/pgbouncer.ts";
import { call } from "../specs/support/http.ts";
import type { Project } from "../specs/support/project.ts";
import { agree, answer, asked, machine, rounds, sharedServer, whyNot } from "./support.ts";

const server = sharedServer();
const why = whyNot ?? whyNoPgbouncer;
if (why !== null) process.stderr.write(`pgbouncer.test.ts is skipped: ${why}\n`);

const knows = async (project: Project, id: string, state: string) => {
  const reply = await call(project, "GET", `/decisions/${id}`);
  return reply.status === 200 && reply.json<{ state: string }>().state === state;
};
const warns = (project: Project) =>
  fs.readFileSync(path.join(project.stateDir, "daemon.log"), "utf8").includes("notices don't arrive");

describe.skipIf(why !== null)("behind pgbouncer", () => {
  it.each(["session", "transaction"] as const)(
    "in %s mode a daemon asks, answers and hears",
    async (mode) => {
      const url = await server().database();
      const pooler = await pgbouncer(server().port, mode);
      onTestFinished(() => pooler.close());
      const behind = await machine(url.replace(`:${server().port}/`, `:${pooler.port}/`), "behind");
      const direct = await machine(url, "direct");
      for (let round = 0; round < rounds(3, 30); round++) {
        const theirs = await asked(direct, `Theirs ${round}?`);
        await behind.until(() => knows(behind, theirs, "pending"), "what the other one asked");
        assert.equal((await answer(behind, theirs)).status, 200);
        const mine = await asked(behind, `Mine ${round}?`);
        await direct.until(() => knows(direct, mine, "pending"), "what was asked behind the pooler");
        assert.equal((await answer(direct, mine)).status, 200);
        await behind.until(() => knows(behind, mine, "resolved"), "its answer");
        await direct.until(() => knows(direct, theirs, "resolved"), "the other answer");
      }
      await agree(behind, direct);
      if (mode === "session") return assert.ok(!warns(behind));
      for (let n = 0; !warns(behind); n++) {
        assert.ok(n < 20, "nobody is told that notices don't arrive");
        const id = await asked(direct, `Warned ${n}?`);
        await behind.until(() => knows(behind, id, "pending"), "what the other one asked");
      }
    },
  );
});
