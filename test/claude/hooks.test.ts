import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { describeClaude } from "./describe.ts";
import { text, tool } from "./model-api.ts";
import { claudeStage } from "./stage.ts";

const CALLS = 12;

describeClaude("uses tools", () => {
  it("without a hook process for any of its calls", async () => {
    const read = tool("Read", { file_path: ".oj/runbooks/agents.hcl" });
    const script = [...Array.from({ length: CALLS }, () => read), text("Read.")];
    const stage = await claudeStage({ reads: { script } });
    const counted = path.join(stage.home, "curls");
    const curl = `#!/bin/sh\necho x >> ${counted}\nPATH=/usr/local/bin:/usr/bin:/bin exec curl "$@"\n`;
    fs.writeFileSync(path.join(stage.home, "bin/curl"), curl, { mode: 0o755 });
    const run = await stage.job("reads");
    assert.equal(await run.ended(), "completed");
    assert.equal(stage.api.requests.length, CALLS + 1);
    assert.equal(fs.readFileSync(counted, "utf8"), "x\n", "one at its start, where HTTP is not offered");

    const settings = path.join(stage.stateDir, "agents", run.agent, "settings.json");
    const { hooks } = JSON.parse(fs.readFileSync(settings, "utf8")) as {
      hooks: Record<string, { hooks: { type: string }[] }[]>;
    };
    const started = Object.entries(hooks).flatMap(([event, matchers]) =>
      matchers.flatMap((it) => it.hooks).some((it) => it.type !== "http") ? [event] : [],
    );
    assert.deepEqual(started, ["SessionStart"]);
  });
});
