/** The real Gemini CLI in `npm test`: one agent, everything that must be shown. */
import { it } from "vitest";
import type { Step } from "../specs/support/model-server.ts";
import type { Cast } from "../specs/support/one-agent.ts";
import { oneScript, playAll } from "../specs/support/one-agent.ts";
import { describeGemini } from "./describe.ts";
import { shell, text } from "./model-api.ts";
import { geminiStage } from "./stage.ts";

const cast: Cast<Step> = {
  command: shell,
  says: text,
  fails: (next) => ({ status: 401, next }),
  asks: null, // over ACP it asks in words
  reason: "prompt",
  error: /401/,
};

describeGemini("with one agent", () => {
  it("is allowed, denied, told, answered in its terminal, and resumed", async () => {
    await playAll(await geminiStage({ all: { script: oneScript(cast), more: "" } }), cast);
  });
});
