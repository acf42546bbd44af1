import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { bash, plan, text, tool } from "./model-api.ts";
import { claudeStage, installed } from "./stage.ts";

if (installed.bin === null) process.stderr.write(`Claude Code is not tested: ${installed.reason}\n`);

describe.skipIf(installed.bin === null)("the real Claude Code", { timeout: 300_000 }, () => {
  it("asks for permission, and gets a Yes, a Yes with a remark, or a No with its reason", async () => {
    const stage = await claudeStage({ asks: { script: [bash("touch made"), text("All done.")] } });
    const cases = [
      { words: ["1"], hears: /^\(Bash completed with no output\)$/ },
      { words: ["1", "-m", "Then test it."], hears: /completed with no output[\s\S]*The user adds: Then test it\.$/ },
      { words: ["2", "-m", "Not in this folder."], hears: /^\[error\] Not in this folder\.$/ },
    ];
    for (const { words, hears } of cases) {
      const run = await stage.job("asks");
      const decision = await run.asked("approval");
      assert.equal(decision.title, "May the agent use Bash?");
      assert.deepEqual(decision.action?.input, { command: "touch made", description: "a test" });
      assert.deepEqual(
        decision.options.map((it) => it.label),
        ["Approve", "Deny", "Cancel", "Dismiss"],
      );
      const before = stage.api.requests.length;
      const taken = await run.answer(decision, ...words);
      assert.equal(taken.delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      assert.match(stage.api.requests[before]?.heard ?? "", hears);
    }
  });
});
