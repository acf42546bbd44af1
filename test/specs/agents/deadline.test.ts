import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { killDaemon } from "../support/http.ts";
import { live, whyNotLater } from "../support/later.ts";

const DONE = { signal: "done" };
const PUSH = { tool: "Bash", input: "git push --force" };
const store = { question: "Which store?", options: ["Postgres", "SQLite"] };
const within = (deadline: string, key: string) =>
  `notify {\n    deadline = "${deadline}"\n    default = "${key}"\n  }`;

const asks = (deadline: string) => ({
  permission: {
    scenario: { turns: [[{ ...PUSH, denied: [{ say: "Then not." }, DONE] }, DONE]] },
    more: within(deadline, "deny"),
  },
  question: { scenario: { turns: [[{ ask: store }, DONE]] }, more: within(deadline, "2") },
  idle: { scenario: { turns: [[{ say: "Hm." }]], otherwise: [DONE] }, more: within(deadline, "nudge") },
});

const REASON = (deadline: string) => `Nobody answered within ${deadline}, so `;
const NOBODY = " was chosen by default: no person has decided this.";

/** What the agent itself wrote down about the default, by whatever way it came. */
async function got(runs: Record<string, Run>, deadline: string, by: string): Promise<void> {
  const { permission, question, idle } = runs as Record<"permission" | "question" | "idle", Run>;
  for (const run of [permission, question, idle]) assert.equal(await run.ended(), "completed");
  const [denied, ...more] = permission.told("denied");
  assert.deepEqual([denied?.message, denied?.by, more], [`${REASON(deadline)}"Deny"${NOBODY}`, by, []]);
  assert.deepEqual(permission.told("allowed"), []);
  const words = `${REASON(deadline)}"SQLite"${NOBODY}`;
  const chosen = by === "hook" ? "SQLite" : `SQLite · ${words}`; // keys have no other place for words
  const notes = by === "hook" ? { "Which store?": { notes: words } } : undefined;
  const [answered, ...again] = question.told("answered");
  assert.deepEqual(
    [answered?.answers, answered?.by, again, by === "hook" ? answered?.annotations : undefined],
    [{ "Which store?": chosen }, by, [], notes],
  );
  assert.deepEqual(idle.heard(), [`${REASON(deadline)}"Nudge"${NOBODY} Please continue with your task.`]);
}

async function begun(stage: Stage) {
  const runs: Record<string, Run> = {};
  const ids: string[] = [];
  for (const name of ["permission", "question", "idle"]) {
    const run = await stage.job(name);
    runs[name] = run;
  }
  for (const run of Object.values(runs)) ids.push((await run.asked()).id);
  return { runs, ids };
}

/** It is nobody's answer, it arrived, and whoever comes later is told what happened. */
async function isOver(stage: Stage, ids: readonly string[], deadline: string): Promise<void> {
  for (const id of ids) {
    const decision = await stage.until(async () => {
      const it = await stage.decision(id);
      return it.delivery.state === "acknowledged" && it;
    }, `${id} at its agent`);
    const { state, answer, ended } = decision;
    assert.deepEqual(
      [state, answer?.by, answer?.via, ended?.reason],
      ["expired", "escalation:deadline", "escalation", `nobody answered within ${deadline}`],
    );
    const late = await stage.run("decision", "resolve", id, "1");
    assert.equal(late.code, 1);
    assert.match(late.stderr, /expired .*, by escalation:deadline: nobody answered within .*; by default: /);
    const undone = await stage.run("decision", "undo", id);
    assert.equal(undone.code, 1);
    assert.match(undone.stderr, /no answer to take back: it expired: nobody answered/);
  }
}

describe("an agent whose question nobody answers in time", () => {
  it("gets the default through its dialog or as words, and a late answer is refused", async () => {
    const stage = await agentStage(asks("2s"));
    const runs: Record<string, Run> = {};
    for (const name of ["permission", "question", "idle"]) runs[name] = await stage.job(name);
    await got(runs, "2s", "hook");
    const ids = stage.events.filter((it) => it.type === "decision:created").map((it) => it.id);
    assert.equal(ids.length, 3);
    await isOver(stage, ids, "2s");
  });

  it.skipIf(whyNotLater !== null)(
    "gets it from the next daemon if the deadline passed while none ran",
    async () => {
      const stage = await agentStage(asks("1h"));
      const { runs, ids } = await begun(stage);
      await killDaemon(stage);
      live(stage, "2h");
      const { code, stderr } = await stage.run("daemon", "start");
      assert.equal(code, 0, stderr);
      await got(runs, "1h", "keys");
      await isOver(stage, ids, "1h");
    },
  );
});
