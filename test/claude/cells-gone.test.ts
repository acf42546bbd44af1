import assert from "node:assert/strict";
import { it } from "vitest";
import type { Run } from "../specs/support/agents.ts";
import { call } from "../specs/support/http.ts";
import type { Row, Source } from "./cell-rows.ts";
import { toldRows } from "./cell-rows.ts";
import { compare } from "./cell-table.ts";
import type { Lane } from "./cells.ts";
import { isKept, lanesOf, pidOf, pooled, walking } from "./cells.ts";
import { describeClaude } from "./describe.ts";
import { EVERYTHING } from "./everything.ts";
import type { ClaudeStage } from "./stage.ts";

const SOURCES: Source[] = EVERYTHING
  ? ["approval", "question", "plan", "idle", "error", "gate", "request"]
  : ["question", "request"];

/** What the conversation's file must contain, so that the model does not ask the same question again. */
function lastWords({ source, key }: Row): string {
  if (source === "request") return `I wait for ${key}.`;
  return ["approval", "question", "plan", "idle"].includes(source) ? `(${key})` : '"type":"user"';
}

let before: Promise<void> = Promise.resolve();

/**
 * Answers while the client is stopped, then kills it. One at a time, since tmux must be stopped too: it wakes any
 * stopped client.
 */
function deafened(stage: ClaudeStage, run: Run, answer: () => Promise<void>): Promise<void> {
  before = before.then(async () => {
    const pid = await pidOf(stage, run);
    const terminals = Number(await stage.tmux("display-message", "-p", "#{pid}"));
    process.kill(terminals, "SIGSTOP");
    try {
      process.kill(pid, "SIGSTOP");
      await answer();
      process.kill(pid, "SIGKILL");
    } finally {
      process.kill(terminals, "SIGCONT");
    }
  });
  return before;
}

describeClaude("receives every answer to every question", () => {
  it("after a restart, if it was killed before the answer reached it", async () => {
    const lanes = SOURCES.flatMap((it) => lanesOf(it, toldRows(it)));
    const walk = await walking(lanes);
    const { stage } = walk;
    const go = async (lane: Lane) => {
      const run = await walk.begin(lane);
      for (const row of lane.rows) {
        const decision = await walk.asked(run, row);
        await isKept(stage, run, lastWords(row));
        await deafened(stage, run, () => walk.give(lane, row, decision));
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
