import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, crewAtWork, exited, stopped } from "../../../test/fakes/agents.ts";
import { sendToAgent } from "../control/agent-send.ts";
import type { Trigger } from "../model/runbook.ts";

/** What becomes of an agent that prints (`-p`) and ends: its owner's status, and what is asked or done about it. */
type Outcome = "completed" | "failed" | "asks" | "gate" | "restarts";

const ON_DEAD: Record<string, Trigger | undefined> = {
  absent: undefined,
  escalate: { action: "escalate" },
  gate: { action: "gate", run: "make check" },
  resume: { action: "resume" },
  done: { action: "done" },
  fail: { action: "fail" },
};

const TABLE: [onDead: string, exit0: Outcome, exit1: Outcome][] = [
  ["absent", "completed", "asks"],
  ["escalate", "asks", "asks"],
  ["gate", "gate", "gate"],
  ["resume", "restarts", "restarts"],
  ["done", "completed", "completed"],
  ["fail", "failed", "failed"],
];

describe("an agent that ends with its turn", () => {
  const rows = TABLE.flatMap(([onDead, ...outcomes]) =>
    (["job", "crew"] as const).flatMap((owner) =>
      outcomes.map((outcome, code) => ({ onDead, owner, code, outcome })),
    ),
  );
  it.each(rows)("of a $owner, with on_dead $onDead and exit code $code: $outcome", (row) => {
    const on_dead = ON_DEAD[row.onDead];
    const def = { run: "claude -p", ...(on_dead ? { on_dead } : {}) };
    const world = row.owner === "job" ? agentAtWork(def) : crewAtWork(def);
    world.seen(stopped);
    world.seen({ ...exited, code: row.code });
    const { agent, pending, job, crew } = world;
    const [asked] = pending();
    assert.equal(asked?.source, row.outcome === "asks" ? "dead" : undefined);
    if (asked) assert.equal(asked.title, `Died: exit code ${row.code}`);
    assert.equal(agent().gate?.run, row.outcome === "gate" ? "make check" : undefined);
    assert.equal(agent().incarnation, row.outcome === "restarts" ? 2 : 1);
    const isOver = row.outcome === "completed" || row.outcome === "failed";
    assert.equal(agent().status === "ended", isOver);
    if (row.owner === "crew" && isOver) assert.equal(crew()?.status, row.outcome);
    if (row.owner === "job" && row.outcome === "completed") assert.equal(job()?.step, "after");
    if (row.owner === "job" && row.outcome === "failed") assert.equal(job()?.status, "failed");
  });

  it("asks a person once it was resumed as often as the runbook allows, even if it ended well each time", () => {
    const { seen, pending, answer, agent } = agentAtWork({
      run: "claude -p",
      on_dead: { action: "resume", attempts: 2 },
    });
    for (const incarnation of [1, 2]) {
      seen({ ...exited, incarnation, code: 0 });
      assert.deepEqual(pending(), []);
      seen({ type: "spawned", incarnation: incarnation + 1 });
    }
    seen({ ...exited, incarnation: 3, code: 0 });
    assert.match(pending()[0]?.context ?? "", /Tried before asking: resume 2 times \(on_dead\)/);
    answer("retry", { message: "Once more." });
    assert.equal(agent().incarnation, 4);
  });
});

it("what a person said, and an agent did not hear before its work was over, is noted", () => {
  const { it: w, id, seen, agent } = agentAtWork();
  for (const text of ["Also the changelog.", "And the\nreadme."])
    w.play((state, moment) => sendToAgent(state, { id, text }, moment));
  seen({ type: "signalled", signal: "fail", message: null, tail: "" });
  assert.deepEqual(agent().notes, [
    "its work was over before it was told: Also the changelog.",
    "its work was over before it was told: And the readme.",
  ]);
});
