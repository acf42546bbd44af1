/** Words that hold the end of a bracketed paste: said once, as words, and known again when the agent reports them. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentStage } from "../support/agents.ts";

const TALKS = { scenario: { turns: [[{ say: "One." }], [{ say: "Two." }], [{ say: "Three." }]] } };

describe("words with the end of a paste in them", () => {
  for (const [name, mark] of [
    ["plain", "\u001b[201~"],
    ["hidden in another", "\u001b[\u001b201~"],
    ["as one character", "\u009b201~"],
  ] as const)
    it(`are told to the agent once, and acknowledged: ${name}`, async () => {
      const stage = await agentStage({ talks: TALKS });
      const run = await stage.job("talks");
      const idle = await run.asked("idle");
      const words = `Say hello${mark}\nexit\n/quit and go on`;
      const answered = await run.answer(idle, "1", "-m", words);
      assert.equal(answered.delivery.state, "acknowledged");
      assert.equal(answered.delivery.attempts <= 1, true, `${answered.delivery.attempts} attempts`);
      await run.asked("idle");
      const heard = run.heard();
      assert.equal(heard.length, 1, JSON.stringify(heard));
      assert.match(heard[0] ?? "", /Say hello[\s\S]*exit\s+\/quit and go on/);
      assert.equal((await run.view()).exit, null);
    });
});
