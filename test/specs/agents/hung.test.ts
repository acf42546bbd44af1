import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import { agentStage, untilWithdrawn } from "../support/agents.ts";
import { labels } from "../support/answers.ts";
import { killDaemon } from "../support/http.ts";

const DONE = { signal: "done" };

const plays = (ms: number, after = "4s") => ({
  scenario: { turns: [[{ say: "Off I go." }, { hang: ms }, { say: "Done." }, DONE]] },
  more: `hung_after = "${after}"`,
});

describe("an agent that hangs", () => {
  it("is asked about once, across a restart of the daemon, and Restart gets it going again", async () => {
    const stage = await agentStage({ stuck: plays(600_000) });
    const run = await stage.job("stuck");
    const decision = await run.asked("idle");
    assert.match(decision.title, /^Hung: no output and no report for \d+ seconds$/);
    assert.deepEqual(labels(decision), ["Restart★", "Done", "Cancel", "Dismiss"]);
    assert.match(decision.context, /Off I go\./);
    const { stdout } = await stage.run("status");
    assert.match(
      stdout,
      new RegExp(`\\(0 working, 1 hung\\)\\n  !  ${run.owner}  hung +\\w+  ${decision.id} .*\\[idle\\] Hung`),
    );
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    assert.equal((await stage.decision(decision.id)).state, "pending");
    await run.answer(decision, "1");
    assert.equal(await run.ended(), "completed");
    assert.match(run.heard().join("\n"), /You were interrupted: there was no output/);
    assert.equal(run.events("agent:hung").length, 1);
  });

  also("is no longer asked about once it goes on by itself", async () => {
    const stage = await agentStage({ slow: plays(10_000, "1s") });
    const run = await stage.job("slow");
    const { id } = await run.asked("idle");
    const { reason } = await untilWithdrawn(stage, id);
    assert.equal(reason, "the agent went on by itself");
    assert.equal(await run.ended(), "completed");
  });
});
