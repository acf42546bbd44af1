/** Several real clients that start for the first time at the same moment: some fail to set up their database. */
import assert from "node:assert/strict";
import { it } from "vitest";
import { describeAllOfOpencode } from "./describe.ts";
import { bash, text } from "./model-api.ts";
import { opencodeStage } from "./stage.ts";

const NAMES = ["ada", "bob", "cas", "dee"];

describeAllOfOpencode("on a fresh home", () => {
  it("starts several at once", async () => {
    const role = { script: [bash("true"), text("Done.")] };
    const stage = await opencodeStage(Object.fromEntries(NAMES.map((it) => [it, role])), "opencode", true);
    await Promise.all(
      NAMES.map(async (name) => {
        const run = await stage.job(name);
        await run.answer(await run.asked("approval"), "1");
        assert.equal(await run.ended(), "completed");
      }),
    );
  });
});
