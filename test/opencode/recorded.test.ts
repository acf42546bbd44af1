/** Records what the real opencode says, for `test/contracts/clients.test.ts`. */
import { it } from "vitest";
import { TESTED_VERSION } from "../../src/agents/opencode/version.ts";
import { played, RECORDS, saved, tapped } from "../specs/support/recording.ts";
import { describeOpencode } from "./describe.ts";
import { bash, text, tool } from "./model-api.ts";
import { opencodeStage } from "./stage.ts";

const options = ["SQLite", "Postgres"].map((label) => ({ label, description: `As ${label}` }));
const questions = [{ question: "Which database?", header: "Database", options }];

describeOpencode("is recorded", () => {
  it.runIf(RECORDS)("with what it asks and what it is answered", async () => {
    const asked = tool("question", { questions });
    const stage = await opencodeStage({
      plays: { script: [bash("touch one"), bash("touch two"), asked, text("All done.")] },
      fails: { script: [{ status: 429, times: 3, next: text("Well again.") }] },
    });
    tapped(stage, "serve", "opencode");
    await played(stage, true);
    saved(stage, `opencode-${TESTED_VERSION}-play`);
  });
});
