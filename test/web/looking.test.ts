/** Looking around: keys and their help, the terminal, what was decided before, and how a job went. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { agentStage } from "../specs/support/agents.ts";
import { undoAfter } from "../specs/support/settings.ts";
import { answer, ask, webProject } from "./support/asking.ts";
import { assertAccessible, DESK, inboxOf, noBrowser, SIZES } from "./support/browser.ts";

describe.skipIf(noBrowser)("looking around", () => {
  also(
    "works with the same keys as in the terminal, which the help lists and which can be turned off",
    async () => {
      const project = await webProject();
      for (const [prompt, urgency] of [
        ["First?", "high"],
        ["Second?", "medium"],
        ["Third?", "low"],
      ] as const)
        await ask(project, { prompt, urgency });
      const page = await inboxOf(project);
      const focus = () => page.getByRole("listbox").getByRole("option", { selected: true }).innerText();
      const shows = async (title: string) => page.getByRole("heading", { name: title, level: 2 }).waitFor();
      await shows("First?");
      await page.keyboard.press("j");
      await shows("Second?");
      await page.keyboard.press("G");
      await shows("Third?");
      await page.keyboard.press("ArrowUp");
      await shows("Second?");
      assert.match(await focus(), /Second/);
      await page.keyboard.press("!");
      await shows("First?");
      assert.equal(
        await page.getByRole("listbox").getByRole("option").count(),
        1,
        "the high one, which has the focus",
      );
      await page.getByText("1 of 3").waitFor();
      await page.keyboard.press("a");
      await page.keyboard.press("/");
      await page.keyboard.type("thi");
      await shows("Third?");
      await page.keyboard.type("x");
      await page.getByText("no match").waitFor();
      assert.equal(await page.locator(".decision").count(), 0, "nothing is in focus");
      await page.getByRole("button", { name: "Show all" }).click();
      await page.keyboard.press("/");
      await page.keyboard.type("sec");
      await shows("Second?");
      await page.keyboard.press("Escape");
      await page.keyboard.press("a");
      await page.keyboard.press("?");
      await page.getByRole("dialog").getByText("take the last answer back").waitFor();
      await assertAccessible(page, "the help");
      await page.getByRole("checkbox").uncheck();
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      assert.match(await focus(), /Second/, "letters are no keys now");
      await page.keyboard.press("ArrowDown");
      await shows("Third?");
    },
  );

  it("keeps the filter when it is typed, and Esc shows all", async () => {
    const project = await webProject();
    for (const prompt of ["First?", "Second?"]) await ask(project, { prompt });
    const page = await inboxOf(project);
    const rows = page.getByRole("listbox").getByRole("option");
    const isOne = () => page.getByText("1 of 2").waitFor();
    await rows.nth(1).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("sec");
    await isOne();
    await page.keyboard.press("Enter");
    await page.keyboard.press("m"); // a key again, and no letter
    await page.getByText("1 marked").waitFor();
    assert.equal(await page.getByLabel("Filter").inputValue(), "sec");
    await isOne();
    await page.keyboard.press("/");
    await rows.first().click();
    assert.equal(await page.getByLabel("Filter").inputValue(), "sec");
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await rows.nth(1).waitFor();
  });

  it.each(SIZES)(
    "shows the agent's terminal, live and in colour, and the job with its history, %s",
    async (_, size) => {
      const push = { tool: "Bash", input: { command: "git push", description: "Push it" } };
      const scenario = { turns: [[push, { say: "Pushed it." }, { signal: "done" }]] };
      const stage = await agentStage({ pushes: { scenario } }, undoAfter(0));
      const run = await stage.job("pushes");
      await run.asked("approval");
      const page = await inboxOf(stage, size);
      await page.getByRole("option", { name: /git push/ }).click();
      await page.getByRole("heading", { name: /^Bash: git push/ }).waitFor();
      assert.match(
        await page.locator(".matter").innerText(),
        /git push[\s\S]*Push it[\s\S]*sha256\s+[0-9a-f]{64}/,
      );
      await assertAccessible(page, "an approval");
      await page.getByRole("button", { name: "Terminal" }).click();
      const terminal = page.getByRole("group", { name: "Terminal" });
      await terminal.getByText("Do you want to proceed?").waitFor();
      assert.ok((await terminal.locator("span[style*=color]").count()) > 0, "it has colours");
      await assertAccessible(page, "the terminal");
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("radio", { name: /Approve/ }).check();
      await page.getByRole("button", { name: "Send: Approve" }).click();
      await run.ended();
      await page.goto(`${new URL(page.url()).origin}/#/job/${run.owner}`);
      await page.getByRole("heading", { name: "pushes", exact: true }).waitFor();
      await page.getByText("completed").first().waitFor();
      assert.deepEqual(await page.locator(".step strong").allInnerTexts(), ["before", "work", "after"]);
      await page.locator(".step").nth(1).getByText("Approve, by ana").waitFor();
      await assertAccessible(page, "a job");
      await page.getByRole("link", { name: /git push/ }).click();
      await page.getByText("Acknowledged", { exact: true }).waitFor();
      await page.getByText("Timeline").click();
      await page
        .getByText(/acknowledged/)
        .first()
        .waitFor();
      assert.match(
        await page.locator(".timeline").innerText(),
        /created[\s\S]*resolved: Approve, by ana \(web\)[\s\S]*delivered[\s\S]*acknowledged/,
      );
      await assertAccessible(page, "a settled decision");
    },
  );

  also.each(SIZES)("shows what was decided, with search and filters, %s", async (_, size) => {
    const project = await webProject();
    for (let n = 1; n <= 60; n++) {
      const { id } = await ask(project, { as: `deploy-${n}`, prompt: `Restart web-${n}?` });
      if (n > 1) await answer(project, id);
    }
    const page = await inboxOf(project, size);
    await page.getByRole("link", { name: "History" }).click();
    const row = page.getByRole("option", { name: /Restart web-60\?.*Yes · \w+ \(api\) · not delivered yet/ });
    await row.waitFor();
    assert.match(await page.locator(".row").first().innerText(), /Restart web-60\?/, "the last settled");
    await assertAccessible(page, "the history");
    await page.getByRole("searchbox").fill("web-17");
    await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
    await page.getByRole("option", { name: "Restart web-17?" }).click();
    await page.getByRole("heading", { name: "Restart web-17?" }).waitFor();
    await page.getByText(/answered: Yes, by/).waitFor();
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.getByLabel("Outcome").selectOption("pending");
    await page.getByRole("option", { name: "Restart web-1?" }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".row").length === 1);
    await page.getByLabel("Outcome").selectOption("answered");
    const list = page.getByRole("listbox");
    await project.until(async () => {
      await list.evaluate((it) => it.scrollTo(0, it.scrollHeight));
      return page.getByRole("option", { name: "Restart web-2?" }).isVisible();
    }, "the end of the list");
  });

  also("shows what there is when the page is opened at a decision", async () => {
    const project = await webProject();
    const { id } = await ask(project, { prompt: "Ship it?" });
    await ask(project, { prompt: "First of all?", urgency: "high" });
    const page = await inboxOf(project, DESK);
    const { url } = await project.json<{ url: string }>("web", id);
    await page.goto(url);
    await page.reload();
    await page.getByRole("heading", { name: "Ship it?", level: 2 }).waitFor();
  });
});
