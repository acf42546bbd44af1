/** Records what the real Claude Code says, for `test/contracts/clients.test.ts`; by `curl`, where it can be overheard. */
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { TESTED_VERSION } from "../../src/agents/claude/version.ts";
import { played, RECORDS, saved, tapped } from "../specs/support/recording.ts";
import { describeClaude } from "./describe.ts";
import { text, tool } from "./model-api.ts";
import { claudeStage } from "./stage.ts";

const options = ["SQLite", "Postgres"].map((label) => ({ label, description: `As ${label}` }));
const questions = [{ question: "Which database?", header: "Database", options, multiSelect: false }];
const bash = (command: string) => tool("Bash", { command, description: "May I?" });

describeClaude("is recorded", () => {
  it.runIf(RECORDS)("with what it asks and what it is answered", async () => {
    const asked = tool("AskUserQuestion", { questions });
    const stage = await claudeStage({
      plays: { script: [bash("touch one"), bash("touch two"), asked, text("All done.")] },
      fails: { script: [{ status: 429, next: text("Well again.") }] },
    });
    const settings = { allowedHttpHookUrls: ["https://example.com/*"] };
    fs.writeFileSync(path.join(stage.home, "claude/settings.json"), JSON.stringify(settings));
    tapped(stage, "hook", "curl");
    await played(stage, true);
    saved(stage, `claude-${TESTED_VERSION}`);
  });
});
