import assert from "node:assert/strict";
import { it } from "vitest";
import { call } from "../specs/support/http.ts";
import type { Source } from "./cell-rows.ts";
import { toldRows } from "./cell-rows.ts";
import { compare } from "./cell-table.ts";
import type { Lane } from "./cells.ts";
import { isKept, lanesOf, pidOf, pooled, walking } from "./cells.ts";
import { describeClaude } from "./describe.ts";

const SOURCES: Source[] = ["approval", "question", "plan", "idle", "error", "gate", "request"];

describeClaude("gets each answer to each question", () => {
  it("when it is killed before it heard it, and is started again", async () => {
    const lanes = SOURCES.flatMap((it) => lanesOf(it, toldRows(it)));
    const walk = await walking(lanes);
    const { stage } = walk;
    const go = async (lane: Lane) => {
      const run = await walk.begin(lane);
      for (const row of lane.rows) {
        const decision = await walk.asked(run, row);
        const isSaid = ["approval", "question", "plan", "request"].includes(row.source);
        await isKept(stage, run, isSaid ? `(${row.key})` : '"type":"user"');
        const pid = await pidOf(stage, run);
        process.kill(pid, "SIGSTOP"); // it hears nothing any more
        await walk.give(lane, row, decision);
        process.kill(pid, "SIGKILL");
        const dead = await run.asked("dead");
        const retried = await call(stage, "POST", `/decisions/${dead.id}/resolve`, {
          body: { choices: [[1]], text: null, message: null },
        });
        assert.equal(retried.status, 200, retried.text);
        await walk.note(lane, row, decision, "prompted");
      }
    };
    await pooled(lanes, 4, go);
    compare("gone", walk.seen);
  });
});
