/** A message that contains the end of a bracketed paste: typed once, as text, and recognized when the agent reports it. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentStage } from "../support/agents.ts";

const TALKS = { scenario: { turns: [[{ say: "One." }], [{ say: "Two." }], [{ say: "Three." }]] } };

describe("a message that contains the end-of-paste sequence", () => {
  for (const [name, mark] of [
    ["plain", "\u001b[201~"],
    ["hidden in another", "\u001b[\u001b201~"],
    ["as one character", "\u009b201~"],
  ] as const)
    it(`reaches the agent once, as text, and is acknowledged: ${name}`, async () => {
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
