/** Machines whose clocks are hours apart: one time serves all, the database's. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call, question } from "../specs/support/http.ts";
import { live, whyNotLater } from "../specs/support/later.ts";
import type { Project } from "../specs/support/project.ts";
import { answer, asked, machine, rounds, sharedServer, whyNot } from "./support.ts";

const server = sharedServer();
const why = whyNot ?? whyNotLater;
if (why !== null) process.stderr.write(`clocks.test.ts is skipped: ${why}\n`);

async function due(project: Project, deadline_ms: number): Promise<string> {
  const body = { ...question(project, `Within ${deadline_ms} ms?`), deadline_ms, default: "no" };
  const reply = await call(project, "POST", "/decisions", { body });
  assert.ok(reply.status < 300, reply.text);
  return reply.json<{ id: string }>().id;
}

const stateOf = async (project: Project, id: string) => {
  const reply = await call(project, "GET", `/decisions/${id}`);
  return reply.status === 200 ? reply.json<{ state: string }>().state : null;
};

describe.skipIf(why !== null)("clocks two hours ahead and two hours behind", () => {
  it("don't show in the log, and deadlines pass when they should", async () => {
    const url = await server().database();
    const before = Date.now();
    const ahead = await machine(url, "ahead", {}, (it) => live(it, "2h"));
    const behind = await machine(url, "behind", {}, (it) => live(it, "-2h"));
    const both = [ahead, behind];
    for (let round = 0; round < rounds(2, 20); round++) {
      const [here, there] = round % 2 === 0 ? [ahead, behind] : [behind, ahead];
      const id = await asked(here, `Round ${round}?`);
      await there.until(
        async () => (await stateOf(there, id)) === "pending",
        "the question at the other one",
      );
      assert.equal((await answer(there, id)).status, 200);
      await here.until(async () => (await stateOf(here, id)) === "resolved", "the answer at home");
    }
    const later = await Promise.all(both.map((it) => due(it, 3_600_000)));
    const soon = await Promise.all(both.map((it) => due(it, 2000)));
    for (const [n, it] of both.entries())
      await it.until(async () => (await stateOf(it, soon[n] ?? "")) === "expired", "the deadline");
    for (const it of both)
      for (const id of later)
        await it.until(async () => (await stateOf(it, id)) === "pending", "an hour's time");
    const text = "SELECT body::jsonb ->> 'at_ms' FROM events ORDER BY seq";
    const times = server().sql(url, text).split("\n").map(Number);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
    assert.ok(
      times.every((it) => it >= before && it <= Date.now()),
      "some event has another clock's time",
    );
  });
});
