/** With the keyboard alone, without letters as keys: Tab reaches everything, the focus is visible, and what happens is announced. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { agentStage } from "../specs/support/agents.ts";
import { killDaemon } from "../specs/support/http.ts";
import { undoAfter } from "../specs/support/settings.ts";
import { answer, ask, decisionOf, webProject } from "./support/asking.ts";
import { inboxOf, noBrowser } from "./support/browser.ts";

/** Tabs to what has this name; wherever it stops on the way, the focus is visible. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const it = document.activeElement as HTMLElement;
      const ringed = it.closest(".option") ?? it;
      const { outlineStyle, outlineWidth } = getComputedStyle(ringed);
      const { top, bottom } = ringed.getBoundingClientRect();
      const labels = (it as HTMLInputElement).labels;
      return {
        name: `${it.getAttribute("aria-label") ?? ""} ${labels?.[0]?.innerText ?? it.innerText}`,
        isBody: it === document.body,
        ring: outlineStyle === "none" ? 0 : Number.parseFloat(outlineWidth),
        isInSight: bottom > 0 && top < innerHeight,
      };
    });
    if (at.isBody) continue; // past the end of the page, and around
    assert.ok(at.ring >= 2 && at.isInSight, `the focus can be seen at ${JSON.stringify(at)}`);
    if (name.test(at.name)) return;
  }
  assert.fail(`Tab does not lead to ${name}`);
}

/** With letters turned off, as for speech control. */
async function withoutLetters(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem("oj-keys", "off"));
}

const said = (page: Page, words: RegExp) =>
  page.getByRole("status").filter({ hasText: words }).first().waitFor();

describe.skipIf(noBrowser)("with the keyboard alone", () => {
  also("a person can choose, send, take back, and carry on where they were", async () => {
    const project = await webProject(120);
    const { id } = await ask(project, { prompt: "Ship it?", urgency: "high" });
    await ask(project, { prompt: "Rename it?" });
    const page = await inboxOf(project);
    await withoutLetters(page);
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    await tabTo(page, /Yes/);
    await page.keyboard.press("ArrowDown");
    await tabTo(page, /Why/);
    await page.keyboard.type("too early");
    await tabTo(page, /^ Send: No/);
    await page.keyboard.press("Enter");
    await said(page, /Sent: No\. It can still be taken back/);
    await page.getByRole("heading", { name: "Rename it?" }).waitFor();
    const focus = () => page.evaluate(() => document.activeElement?.textContent);
    await project.until(async () => (await focus()) === "Rename it?", "the next one has the focus");
    assert.equal((await decisionOf(project, id)).held?.answer.message, "too early");
    await tabTo(page, /Undo/);
    await page.keyboard.press("Enter");
    await said(page, /taken back/);
    await project.until(async () => (await focus()) === "Ship it?", "what was taken back has the focus");
    assert.equal((await decisionOf(project, id)).held, null);
  });

  it("a person can answer several questions, with several choices and free text, and look at the terminal", async () => {
    const store = { question: "Which store?", header: "Store", options: ["Postgres", "SQLite"] };
    const parts = {
      question: "Which parts?",
      header: "Parts",
      multiSelect: true,
      options: ["Auth", "Search"],
    };
    const scenario = { turns: [[{ ask: [store, parts] }, { signal: "done" }]] };
    const stage = await agentStage({ asks: { scenario } }, undoAfter(0));
    const run = await stage.job("asks");
    await run.asked("question");
    const page = await inboxOf(stage);
    await withoutLetters(page);
    await page.getByRole("heading", { name: /2 questions/ }).waitFor();
    await tabTo(page, /Terminal/);
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Terminal" }).getByText("Which store?").first().waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.className), "terminal");
    await page.keyboard.press("Escape");
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /Terminal/);
    await tabTo(page, /^ 1\s+Postgres/);
    await page.keyboard.press("ArrowUp"); // around to Other
    await page.getByRole("textbox", { name: "In your own words: Store" }).waitFor();
    await page.keyboard.type("a flat file");
    await tabTo(page, /^ 1\s+Auth/);
    await page.keyboard.press("Space");
    await tabTo(page, /^ 2\s+Search/);
    await page.keyboard.press("Space");
    await tabTo(page, /^ Send: /);
    await page.keyboard.press("Enter");
    await run.ended();
    const answers = { "Which store?": "a flat file", "Which parts?": "Auth, Search" };
    assert.deepEqual(run.told("answered")[0]?.answers, answers);
  });

  also("a person can answer several decisions together, and find and read what was decided", async () => {
    const project = await webProject();
    for (const n of [1, 2, 3]) await ask(project, { as: `web-${n}`, prompt: "Restart it?" });
    const page = await inboxOf(project);
    await withoutLetters(page);
    await page.getByRole("heading", { name: "Restart it?" }).waitFor();
    await tabTo(page, /Yes/);
    await page.keyboard.press("Space");
    await tabTo(page, /Send to 3: Yes/);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^web-3/).waitFor();
    await dialog.getByRole("button", { name: "Answer all 3" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByText("3 of 3 answered").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await tabTo(page, /History/);
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "Restart it?" }).first().waitFor();
    await tabTo(page, /Outcome/);
    await page.keyboard.press("ArrowDown"); // any, answered
    await page.waitForFunction(() => location.hash.includes("outcome=answered"));
    await tabTo(page, /decisions, the last settled first/);
    await page.keyboard.press("ArrowDown");
    await page
      .getByText(/^web-3/)
      .first()
      .waitFor();
    await page.keyboard.press("End");
    await page
      .getByText(/^web-1/)
      .first()
      .waitFor();
    await tabTo(page, /Timeline/);
    await page.keyboard.press("Enter");
    await page.getByText(/resolved: Yes, by ana/).waitFor();
  });

  also("a person hears who was faster, and that the page is live again", async () => {
    const project = await webProject();
    const { id } = await ask(project, { prompt: "Ship it?" });
    const page = await inboxOf(project);
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    await answer(project, id, 1);
    await said(page, /answered by .* \(api\): Yes/);
    await killDaemon(project);
    await said(page, /can't be reached/);
    await project.run("daemon", "start");
    await said(page, /live again/);
    page.troubles.length = 0; // the browser's own lines about a daemon that is away
  });
});
