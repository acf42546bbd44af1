/** Answering in the browser, on a phone and on a desktop, by pointing and with keys. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { DecisionView } from "../../src/api/api.ts";
import { also } from "../everything.ts";
import { agentStage } from "../specs/support/agents.ts";
import { undoAfter } from "../specs/support/settings.ts";
import { answer, ask, decisionOf, webProject } from "./support/asking.ts";
import { assertAccessible, inboxOf, noBrowser, SIZES } from "./support/browser.ts";

describe.skipIf(noBrowser).each(SIZES)("the inbox %s", (_, size) => {
  const isPhone = "isMobile" in size;

  it("shows what is pending, counts it, and takes an answer by pointing", async () => {
    const project = await webProject();
    const ship = await ask(project, {
      as: "builder",
      prompt: "Ship 1.4?",
      urgency: "high",
      recommend: 1,
      options: [
        { label: "Ship it", description: "Publish it now" },
        { label: "Not yet", description: "Test it again first" },
      ],
      context: "All **42** tests pass.\n\n```diff\n-old\n+new\n```\n\n[notes](https://example.com/n)",
    });
    await ask(project, { as: "docs", prompt: "Rename the basket?", project: "web", urgency: "low" });
    const page = await inboxOf(project, size);
    await page.waitForFunction(() => document.title === "(2) Oddjobs");
    assert.match(
      await page.locator("link[rel=icon]").evaluate((it: HTMLLinkElement) => it.href),
      /^data:image\/png/,
    );
    for (const [facet, texts] of [
      ["By urgency", ["Urgency", "high (1)", "low (1)"]],
      ["By project", ["Project", "shop (1)", "web (1)"]],
    ] as const)
      assert.deepEqual(await page.getByLabel(facet).locator("option").allInnerTexts(), texts);
    assert.equal(await page.getByLabel("By source").count(), 0, "there is nothing to choose from");
    await assertAccessible(page, "the list");

    await page.getByRole("option", { name: "Ship 1.4?" }).click();
    await page.getByRole("heading", { name: "Ship 1.4?" }).waitFor();
    assert.equal(await page.locator(".said strong").innerText(), "42");
    assert.equal(await page.locator(".diff .added").innerText(), "+new\n");
    assert.match(
      await page.locator(".said").innerText(),
      /in the words of builder[\s\S]*https:\/\/example\.com\/n/,
    );
    assert.equal(
      await page.getByRole("link", { name: "notes" }).getAttribute("rel"),
      "noopener noreferrer nofollow",
    );
    await assertAccessible(page, "a decision");

    await page.getByRole("radio", { name: /Ship it/ }).check();
    await page.getByRole("textbox", { name: /Why/ }).fill("go ahead");
    await page.getByRole("button", { name: "Send: Ship it" }).click();
    const settled = await project.until(async () => {
      const it = await decisionOf(project, ship.id);
      return it.state === "resolved" && it;
    });
    const { labels, message, via, by } = settled.answer ?? assert.fail("no answer");
    assert.deepEqual(
      { labels, message, via, by },
      { labels: ["Ship it"], message: "go ahead", via: "web", by: "ana" },
    );
    await page.getByRole("heading", { name: "Rename the basket?" }).waitFor(); // the next one
    await page.waitForFunction(() => document.title === "(1) Oddjobs");
  });

  also("shows several questions as a form, with several choices and free text", async () => {
    const storage = { question: "Where to keep it?", header: "Storage", options: ["Postgres", "SQLite"] };
    const parts = { question: "Which parts?", multiSelect: true, options: ["Auth", "Search", "Export"] };
    const name = { question: "Which name?", header: "Name", options: ["Oak", "Elm"] };
    const scenario = { turns: [[{ ask: [storage, parts, name] }, { signal: "done" }]] };
    const project = await agentStage({ asks: { scenario } }, undoAfter(1));
    const run = await project.job("asks");
    const { id } = await run.asked("question");
    const page = await inboxOf(project, size);
    if (isPhone) await page.getByRole("listbox").getByRole("option").first().click();
    for (const [question, header, words] of [
      [/Where to keep it/, "Storage", "DuckDB"],
      [/Which name/, "Name", "Ash"],
    ] as const) {
      const group = page.getByRole("group", { name: question });
      await group.getByRole("radio", { name: /Other/ }).check();
      await group.getByRole("textbox", { name: `In your own words: ${header}` }).fill(words);
    }
    await page.getByRole("checkbox", { name: /Auth/ }).check();
    await page.getByRole("checkbox", { name: /Export/ }).check();
    await page.locator(".pane").evaluate((it) => it.scrollTo(0, it.scrollHeight)); // nothing half hidden by the bar
    await assertAccessible(page, "several questions");
    await page.getByRole("button", { name: /^Send:/ }).click();
    const settled = await project.until(async () => {
      const it = await decisionOf(project, id);
      return it.state === "resolved" && it;
    });
    assert.deepEqual(settled.answer?.choices, [[3], [1, 3], [3]]);
    assert.deepEqual(settled.answer?.labels, ["DuckDB", "Auth, Export", "Ash"]);
    await run.ended();
    assert.deepEqual(run.told("answered")[0]?.answers, {
      "Where to keep it?": "DuckDB",
      "Which parts?": "Auth, Export",
      "Which name?": "Ash",
    });
  });

  it("lets an answer be taken back during the countdown, and then delivers it", async () => {
    const project = await webProject(12); // enough to take it back on a busy machine
    const { id } = await ask(project, { prompt: "Delete the branch?" });
    const waits = project.start("decision", "await", id, "-o", "json");
    const page = await inboxOf(project, size);
    if (isPhone) await page.getByRole("listbox").getByRole("option").first().click();
    const send = async () => {
      await page.getByRole("radio", { name: /Yes/ }).check();
      await page.getByRole("button", { name: "Send: Yes" }).click();
      await page
        .getByText(/goes out in/)
        .first()
        .waitFor();
    };
    await send();
    await page.getByRole("button", { name: "Undo" }).first().click();
    await page.getByText(/was taken back/).waitFor();
    assert.equal((await decisionOf(project, id)).state, "pending");
    await send();
    if (isPhone)
      assert.equal((await page.locator(".deciding").boundingBox())?.width, size.viewport.width, "all of it");
    await assertAccessible(page, "an answer on hold");
    await page
      .getByText(/acknowledged by/)
      .first()
      .waitFor();
    assert.equal((await waits.ended).code, 0);
    assert.equal((await decisionOf(project, id)).delivery.state, "acknowledged");
  });

  it("shows similar decisions together, answers them at once, and says how each fared", async () => {
    const project = await webProject();
    const all: DecisionView[] = []; // one after the other: the page opens the first
    for (const it of [1, 2, 3])
      all.push(await ask(project, { as: `deploy-${it}`, prompt: "Restart the web?" }));
    const page = await inboxOf(project, size);
    const row = page.getByRole("option", { name: "Restart the web?" });
    await row.filter({ hasText: "×3" }).waitFor(); // one row for all of them
    await row.click();
    await page.getByRole("radio", { name: /Yes/ }).check();
    await page.getByRole("button", { name: "Send to 3: Yes" }).click();
    const dialog = page.getByRole("dialog");
    for (const it of all) await dialog.getByText(it.id).waitFor();
    await assertAccessible(page, "several together");
    const gone = all[2] ?? assert.fail();
    await answer(project, gone.id, 2);
    await page.waitForFunction(() => document.title === "(2) Oddjobs");
    await dialog.getByRole("button", { name: /Answer all/ }).click();
    await dialog.getByText("2 of 2 answered").waitFor();
    await assertAccessible(page, "how they fared");
    const labels = await Promise.all(
      all.map(async (it) => (await decisionOf(project, it.id)).answer?.labels[0]),
    );
    assert.deepEqual(labels, ["Yes", "Yes", "No"]);
  });

  it("names each of those that are dismissed together", async () => {
    const project = await webProject();
    const all: DecisionView[] = [];
    for (const it of [1, 2]) all.push(await ask(project, { as: `deploy-${it}`, prompt: "Restart the web?" }));
    const page = await inboxOf(project, size);
    await page.getByRole("option", { name: "Restart the web?" }).filter({ hasText: "×2" }).click();
    await page.getByRole("button", { name: /^Dismiss/ }).click();
    const dialog = page.getByRole("dialog", { name: "Dismiss all 2?" });
    for (const it of all) await dialog.getByText(it.id).waitFor();
    await assertAccessible(page, "several to dismiss");
    await dialog.getByRole("button", { name: /Dismiss all 2/ }).click();
    for (const it of all)
      await project.until(async () => (await decisionOf(project, it.id)).state === "dismissed");
  });
});
