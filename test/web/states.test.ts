/** The page in unusual states: nothing is pending, nobody is logged in, the daemon is away, an answer comes too late. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { killDaemon } from "../specs/support/http.ts";
import { answer, ask, decisionOf, webProject } from "./support/asking.ts";
import { assertAccessible, DESK, inboxOf, noBrowser, PHONE, pageOf, SIZES } from "./support/browser.ts";

describe.skipIf(noBrowser)("the page", () => {
  also.each(SIZES)("says that nothing is pending, %s", async (_, size) => {
    const project = await webProject();
    const page = await inboxOf(project, size);
    await page.getByText("Nothing is waiting for you.").waitFor();
    await page.waitForFunction(() => document.title === "Oddjobs");
    await assertAccessible(page, "nothing waits");
    await ask(project, { prompt: "Ship it?" });
    await page.getByRole("option", { name: "Ship it?" }).waitFor();
    await page.waitForFunction(() => document.title === "(1) Oddjobs");
  });

  it("tells somebody who is not logged in how to log in, and a link works once", async () => {
    const project = await webProject();
    const { url } = await project.json<{ url: string }>("web");
    const stranger = await pageOf(PHONE);
    await stranger.goto(new URL(url).origin);
    await stranger.getByText("You are not logged in here.").waitFor();
    await stranger.getByText("oj web").waitFor();
    await assertAccessible(stranger, "logged out");
    const page = await pageOf(DESK);
    await page.goto(url);
    await page.getByRole("navigation").waitFor();
    assert.ok(!page.url().includes("login"), "the code is gone from the address");
    await page.reload();
    await page.getByText("Nothing is waiting for you.").waitFor();
    await stranger.goto(url);
    await stranger.reload(); // only the fragment differed
    await stranger.getByText(/has been used|not logged in/).waitFor();
    stranger.troubles.length = 0; // the browser's own lines about refused calls
  });

  it("says that the daemon is away, keeps what was typed, and continues when it is back", async () => {
    const project = await webProject();
    const { id } = await ask(project, { prompt: "Ship it?", urgency: "high" });
    const page = await inboxOf(project);
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    await page.keyboard.press("t");
    await page.locator("textarea:focus, input:focus").waitFor();
    await page.keyboard.type("Not on a Friday");
    await killDaemon(project);
    await page.getByText("The daemon can't be reached.").waitFor();
    await page.waitForFunction(() => document.title === "(?) Oddjobs");
    await assertAccessible(page, "the daemon is away");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("can't be reached").waitFor();
    assert.equal(
      await page.getByRole("textbox", { name: "In your own words" }).inputValue(),
      "Not on a Friday",
    );
    await project.run("daemon", "start");
    await page.waitForFunction(() => document.title === "(1) Oddjobs");
    await page.getByRole("textbox", { name: "In your own words" }).press("Enter");
    const settled = await project.until(async () => {
      const it = await decisionOf(project, id);
      return it.state === "resolved" && it;
    });
    assert.equal(settled.answer?.text, "Not on a Friday");
    page.troubles.length = 0; // the browser's own lines about a daemon that is away
  });

  also("says who was faster, and sends nothing", async () => {
    const project = await webProject();
    const { id } = await ask(project, { prompt: "Ship it?" });
    const page = await inboxOf(project);
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    await page.keyboard.press("2");
    await page.getByRole("button", { name: "Send: No" }).waitFor();
    await answer(project, id, 1);
    await page.getByText(/answered by .* \(api\): Yes/).waitFor();
    await page.keyboard.press("Enter");
    await page
      .getByText(/answered: Yes, by/)
      .first()
      .waitFor();
    assert.deepEqual((await decisionOf(project, id)).answer?.labels, ["Yes"]);
  });
});
