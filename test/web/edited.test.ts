/** Changing a command or a plan in the browser before it is approved. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { agentStage } from "../specs/support/agents.ts";
import { assertAccessible, inboxOf, noBrowser, SIZES } from "./support/browser.ts";

const asks = { tool: "Bash", input: { command: "touch asked" }, real: true };

describe.skipIf(noBrowser).each(SIZES)("a change %s", (_, size) => {
  it("is sent with the command as the person changed it", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[asks, { signal: "done" }]] } } });
    const run = await stage.job("asks");
    const { title } = await run.asked("approval");
    const page = await inboxOf(stage, size);
    await page.getByRole("option", { name: title }).click();
    await page.getByRole("button", { name: /Edit it first/ }).click();
    const field = page.getByLabel("What may run instead");
    assert.equal(await field.inputValue(), "touch asked");
    await field.fill("touch changed\ntouch also");
    await assertAccessible(page, "an edited command");
    await page.getByRole("button", { name: "Send: Approve, with a change" }).click();
    assert.equal(await run.ended(), "completed");
    const made = fs.readdirSync(stage.dir).filter((it) => ["asked", "changed", "also"].includes(it));
    assert.deepEqual(made.sort(), ["also", "changed"]);
  });

  also("is sent with the plan as the person changed it", async () => {
    const turns = [[{ plan: "# Search\n\n1. Index names" }, { signal: "done" }]];
    const stage = await agentStage({ plans: { scenario: { turns } } });
    const run = await stage.job("plans");
    const { title } = await run.asked("plan");
    const page = await inboxOf(stage, size);
    await page.getByRole("option", { name: title }).click();
    await page.getByRole("button", { name: /Edit it first/ }).click();
    const field = page.getByLabel("The plan as you want it");
    await field.fill("# Search\n\n1. Index names and prices");
    await page.getByRole("radio", { name: /clear context/ }).check();
    await page.getByRole("button", { name: /^Send/ }).click();
    const why = page.getByText(/only with an Accept that keeps the context/);
    await why.filter({ visible: true }).first().waitFor();
    await page.getByRole("radio", { name: /auto edits/ }).check();
    await page.getByRole("button", { name: "Send: Accept (auto edits), with a change" }).click();
    assert.equal(await run.ended(), "completed");
    const [accepted] = run.told("plan_accepted");
    assert.deepEqual([accepted?.plan, accepted?.edited], ["# Search\n\n1. Index names and prices", true]);
  });
});
