/** Records what the real Codex says, for `test/contracts/clients.test.ts`. Its questions and errors are on its screen. */
import { it } from "vitest";
import { TESTED_VERSION } from "../../src/agents/codex/version.ts";
import { played, RECORDS, saved, tapped } from "../specs/support/recording.ts";
import { describeCodex } from "./describe.ts";
import { bash, text } from "./model-api.ts";
import { codexStage } from "./stage.ts";

describeCodex("is recorded", () => {
  it.runIf(RECORDS)("with what it asks and what it is answered", async () => {
    const stage = await codexStage({
      plays: { script: [bash("touch one"), bash("touch two"), text("All done.")] },
      fails: { script: [{ status: 429, next: text("Well again.") }] },
    });
    tapped(stage, "hook", "curl");
    await played(stage, false);
    saved(stage, `codex-${TESTED_VERSION}`);
  });
});
