/** What people do most often, in as few steps as promised. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { agentStage } from "../specs/support/agents.ts";
import { undoAfter } from "../specs/support/settings.ts";
import { ask, decisionOf, webProject } from "./support/asking.ts";
import { inboxOf, noBrowser, PHONE, SIZES } from "./support/browser.ts";

describe.skipIf(noBrowser)("few steps", () => {
  it("three taps answer a question on a phone", async () => {
    const question = { question: "How should prices be rounded?", options: ["To cents", "To 5 cents"] };
    const scenario = { turns: [[{ ask: question }, { signal: "done" }]] };
    const stage = await agentStage({ asks: { scenario } }, undoAfter(0));
    const run = await stage.job("asks");
    await run.asked("question");
    const page = await inboxOf(stage, PHONE);
    await page.getByRole("listbox").getByRole("option").first().tap();
    await page.getByRole("radio", { name: /To 5 cents/ }).tap();
    await page.getByRole("button", { name: "Send: To 5 cents" }).tap();
    await run.ended();
    assert.deepEqual(run.told("answered")[0]?.answers, { "How should prices be rounded?": "To 5 cents" });
  });

  also("four keys approve five identical commands and take all of it back", async () => {
    const push = { tool: "Bash", input: { command: "npm run lint -- --fix" } };
    const stage = await agentStage({ lints: { scenario: { turns: [[push]] } } }, undoAfter(120));
    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => stage.job("lints")));
    const asked = await Promise.all(runs.map((it) => it.asked("approval")));
    const page = await inboxOf(stage);
    const row = page.getByRole("listbox").getByRole("option");
    await row.filter({ hasText: "×5" }).waitFor();
    assert.equal(await row.count(), 1);
    await page.getByRole("heading", { name: /^Bash: npm run lint/ }).waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Approve").waitFor();
    const actions = dialog.locator(".matter .code").filter({ hasText: "npm run lint -- --fix" });
    await actions.nth(4).waitFor(); // each is loaded by itself
    assert.equal(await actions.count(), 5);
    await dialog.getByRole("button", { name: "Answer all 5" }).waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByText("5 of 5 answered").waitFor();
    for (const { id } of asked) assert.equal((await decisionOf(stage, id)).held?.answer.labels[0], "Approve");
    await page.keyboard.press("u");
    await page.getByText("5 answers were taken back").waitFor();
    for (const { id } of asked) assert.equal((await decisionOf(stage, id)).held, null);
  });

  also.each(SIZES)("an agent that asked before it stopped is answered in words, %s", async (_, size) => {
    const scenario = { turns: [[{ say: "Which one should I fix first?" }]], otherwise: [{ signal: "done" }] };
    const stage = await agentStage({ stops: { scenario } }, undoAfter(0));
    const run = await stage.job("stops");
    await run.asked("idle");
    const page = await inboxOf(stage, size);
    if ("isMobile" in size) await page.getByRole("listbox").getByRole("option").first().tap();
    const field = page.getByRole("textbox", { name: "Reply to the agent" });
    await field.waitFor();
    const { y = Number.NaN, height = 0 } = (await field.boundingBox()) ?? {};
    assert.ok(y > 0 && y + height < size.viewport.height, "the field is in sight");
    await field.fill("The clock.");
    await page.getByRole("button", { name: "Send: The clock." }).click();
    await run.ended();
    assert.match(run.heard().join(), /The clock\./);
  });

  also("opens a group to answer only some of it", async () => {
    const project = await webProject(120);
    for (const name of ["ana", "ben", "cleo"]) await ask(project, { as: name, prompt: "Restart the web?" });
    const page = await inboxOf(project);
    const row = page.getByRole("listbox").getByRole("option");
    await row.filter({ hasText: "×3" }).waitFor();
    await page.getByRole("heading", { name: "Restart the web?" }).waitFor();
    await page.keyboard.press("M");
    await page.getByText("3 marked").waitFor();
    assert.equal(await row.count(), 3);
    await row.filter({ hasText: "ben" }).locator(".row-mark").click();
    await page.getByText("2 marked").waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^ana/).waitFor();
    assert.equal(await dialog.getByText(/^ben/).count(), 0);
    await dialog.getByRole("button", { name: "Answer all 2" }).click();
    await dialog.getByText("2 of 2 answered").waitFor();
    await dialog.getByRole("button", { name: "Undo all 2" }).click();
    await page.getByText("2 answers were taken back").waitFor();
  });
});
