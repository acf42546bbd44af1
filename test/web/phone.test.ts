/** On a phone: the bar that sends stays within reach, the exact action comes before the options, and fingers hit what they mean. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { describe, it } from "vitest";
import { agentStage } from "../specs/support/agents.ts";
import { undoAfter } from "../specs/support/settings.ts";
import { ask, webProject } from "./support/asking.ts";
import { clicked, inboxOf, noBrowser, PHONE } from "./support/browser.ts";

/** Smaller than this is missed. */
const FINGER_PX = 44;

/** What can be tapped and is too low, except links within text. */
function tooSmall(page: Page): Promise<string[]> {
  return page
    .locator(
      "button, .button, summary, nav a, select, input:not([type=radio], [type=checkbox]), .option, .row",
    )
    .evaluateAll(
      (all, least) =>
        all
          .filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.matches(".skip"))
          .filter((it) => it.getBoundingClientRect().height < least)
          .map((it) => it.outerHTML.slice(0, 120)),
      FINGER_PX,
    );
}

describe.skipIf(noBrowser)("on a phone", () => {
  it("the bar that sends stays within reach beside a long action, and leads past its end to the options", async () => {
    const lines = Array.from({ length: 60 }, (_, n) => `aws s3 cp part-${n}.tar.gz s3://releases/part-${n}`);
    const upload = { tool: "Bash", input: { command: lines.join("\n") } };
    const stage = await agentStage({ uploads: { scenario: { turns: [[upload]] } } }, undoAfter(0));
    await (await stage.job("uploads")).asked("approval");
    const page = await inboxOf(stage, PHONE);
    await page.getByRole("listbox").getByRole("option").first().click();
    const bar = page.locator(".send-bar");
    const isInReach = async () => {
      const box = (await bar.boundingBox()) ?? assert.fail("no bar");
      assert.ok(Math.abs(box.y + box.height - PHONE.viewport.height) <= 1, "the bar is at the bottom");
      return box.y;
    };
    await isInReach();
    assert.equal(
      await page
        .locator(".matter .code")
        .first()
        .evaluate((it) => it.scrollHeight - it.clientHeight),
      0,
    );
    const readOn = page.getByRole("button", { name: "Read on" });
    await readOn.waitFor();
    for (let taps = 0; (await readOn.count()) > 0; taps++) {
      assert.ok(taps < 30, "it comes to an end");
      const before = await page.locator(".pane").evaluate((it) => it.scrollTop);
      if (!(await clicked(readOn))) break; // it has just become another
      const after = await page.locator(".pane").evaluate((it) => it.scrollTop);
      const edge = await isInReach();
      const head = (await page.locator(".pane").boundingBox())?.y ?? 0;
      assert.ok(
        after > before && after - before <= edge - head,
        `${before} → ${after}: no line is passed over`,
      );
    }
    const end = await page.locator(".matter").evaluate((it) => it.getBoundingClientRect().bottom);
    assert.ok(end <= (await isInReach()), "the end of the action was in sight");
    await clicked(page.getByRole("button", { name: "To the options" }));
    await page.getByRole("radio", { name: /Approve/ }).check();
    await isInReach();
    await page.locator(".pane").evaluate((it) => it.scrollTo(0, it.scrollHeight));
    const why = (await page.getByRole("textbox", { name: /Why/ }).boundingBox()) ?? assert.fail("no field");
    assert.ok(why.y + why.height <= (await isInReach()), "the bar hides nothing");
    await page.locator(".pane").evaluate((it) => it.scrollTo(0, 0));
    await page.getByRole("button", { name: "Send: Approve" }).click();
    await page
      .getByText(/answered: Approve/)
      .first()
      .waitFor();
  });

  it("everything that can be tapped is large enough, on every page", async () => {
    const project = await webProject();
    const { id } = await ask(project, { prompt: "Ship it?", context: "All **42** tests pass." });
    await ask(project, { as: "ben", prompt: "Ship it?" });
    const page = await inboxOf(project, PHONE);
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    assert.deepEqual(await tooSmall(page), [], "the list");
    await page.getByRole("option", { name: "Ship it?" }).first().click();
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    assert.deepEqual(await tooSmall(page), [], "a decision");
    await page.getByRole("button", { name: "Show all 2 alike" }).click();
    await page
      .getByRole("link", { name: /waiting/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Unmark" }).waitFor();
    assert.deepEqual(await tooSmall(page), [], "the list with marks");
    await page.goto(`${new URL(page.url()).origin}/#/history/${id}?outcome=pending`);
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    assert.deepEqual(await tooSmall(page), [], "a decision of the history");
    await page.getByRole("link", { name: "← History" }).click();
    await page.getByRole("option", { name: "Ship it?" }).first().waitFor();
    assert.deepEqual(await tooSmall(page), [], "the history");
  });
});
