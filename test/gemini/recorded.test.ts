/** Records what the real Gemini CLI says, for `test/contracts/clients.test.ts`. */
import { it } from "vitest";
import { TESTED_VERSION } from "../../src/agents/gemini/version.ts";
import { played, RECORDS, saved, tapped } from "../specs/support/recording.ts";
import { describeGemini } from "./describe.ts";
import { shell, text } from "./model-api.ts";
import { geminiStage } from "./stage.ts";

describeGemini("is recorded", () => {
  it.runIf(RECORDS)("with what it asks and what it is answered", async () => {
    const stage = await geminiStage({
      plays: { script: [shell("touch one"), shell("touch two"), text("All done."), text("All done.")] },
      fails: { script: [{ status: 429, next: text("Well again.") }] },
    });
    tapped(stage, "acp", "gemini");
    await played(stage, false);
    saved(stage, `gemini-${TESTED_VERSION}`);
  });
});
