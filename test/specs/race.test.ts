import assert from "node:assert/strict";
import http from "node:http";
import { describe, it, onTestFinished } from "vitest";
import { call, killDaemon, question } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  state: string;
  answer: { chosen: number; by: string; message: string | null } | null;
}

interface Conflict {
  error: { code: string; message: string; details: { answer: Decision["answer"] } };
}

/** `OJ_FOUGHT_OVER=200` for more. */
const DECISIONS = Number(process.env.OJ_FOUGHT_OVER ?? 24);
const RESOLVERS = 64;
/** Decisions that are fought over at the same time. */
const AT_ONCE = 4;

describe("two answers at once", () => {
  it("have one winner, and everybody else is told who won, even after a crash", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const agent = new http.Agent({ keepAlive: true, maxSockets: RESOLVERS * AT_ONCE });
    onTestFinished(() => agent.destroy());
    const ids: string[] = [];
    for (let n = 0; n < DECISIONS; n++) {
      const reply = await call(project, "POST", "/decisions", { body: question(project, `Q${n}`), agent });
      assert.equal(reply.status, 200, reply.text);
      ids.push(reply.json<Decision>().id);
    }

    const waiting = [...ids];
    const winners = new Map<string, string>();
    const fight = async () => {
      for (let id = waiting.shift(); id; id = waiting.shift())
        winners.set(id, await race(project, id, agent));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fight));

    const before = (await call(project, "GET", "/decisions?all=true")).text;
    await killDaemon(project);
    await project.run("daemon", "start");
    const after = (await call(project, "GET", "/decisions?all=true")).text;
    assert.equal(after, before);
    const answers = (JSON.parse(after) as Decision[]).map((it): [string, string] => [
      it.id,
      it.answer?.by ?? "",
    ]);
    assert.deepEqual(new Map(answers.sort()), new Map([...winners].sort()));
  });

  it("have one winner too when they come from eight terminals", async () => {
    const project = await tempProject();
    const asked = ["--prompt", "Which?", "--option", "a: first", "--option", "b: second"];
    const { id } = await project.json<Decision>("decision", "request", ...asked);
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        project.run("decision", "resolve", id, String((n % 2) + 1), "-m", `from ${n}`),
      ),
    );
    const winners = all.flatMap((it, n) => (it.code === 0 ? [n] : []));
    assert.equal(winners.length, 1, JSON.stringify(all));
    const [winner = 0] = winners;
    const { answer } = await project.json<Decision>("decision", "show", id);
    assert.equal(answer?.message, `from ${winner}`);
    assert.equal(answer?.chosen, (winner % 2) + 1);
    for (const [n, { code, stdout, stderr }] of all.entries()) {
      if (n === winner) continue;
      assert.equal(code, 1);
      assert.equal(stdout, "");
      const label = winner % 2 === 0 ? "a" : "b";
      assert.match(stderr, new RegExp(`^✗ ${id} was already answered: ${label}, by ana \\(cli\\)`));
    }
  });
});

describe("the daemon's status", () => {
  it("has counts that match its sequence number, while others write", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const creating = Array.from({ length: 100 }, (_, n) =>
      call(project, "POST", "/decisions", { body: question(project, `Q${n}`) }),
    );
    const asking = Array.from({ length: 100 }, async () =>
      (await call(project, "GET", "/health")).json<{ seq: number; pending: number }>(),
    );
    await Promise.all(creating);
    // every event so far asked one question
    for (const { seq, pending } of await Promise.all(asking)) assert.equal(pending, seq);
  });
});

/** Lets everyone answer at once; returns who won. */
async function race(project: Project, id: string, agent: http.Agent): Promise<string> {
  const replies = await Promise.all(
    Array.from({ length: RESOLVERS }, async (_, n) => {
      const body = { choices: [[(n % 2) + 1]], message: `from r${n}` };
      const headers = { "x-oj-user": `r${n}` };
      const reply = await call(project, "POST", `/decisions/${id}/resolve`, { body, headers, agent });
      return { ...reply, by: `r${n}` };
    }),
  );
  const [winner, ...others] = replies.filter((it) => it.status === 200);
  assert.ok(winner && others.length === 0, `${id} has ${others.length + 1} winners`);
  const { answer } = winner.json<{ decision: Decision }>().decision;
  assert.equal(answer?.by, winner.by);
  assert.equal(answer?.message, `from ${winner.by}`);
  for (const loser of replies) {
    if (loser === winner) continue;
    assert.equal(loser.status, 409, loser.text);
    const { error }: Conflict = loser.json();
    assert.equal(error.code, "decision.already-resolved");
    assert.deepEqual(error.details.answer, answer);
    assert.match(error.message, new RegExp(`^${id} was already answered: .*, by ${winner.by} \\(api\\)`));
  }
  return winner.by;
}
