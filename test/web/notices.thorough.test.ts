/** The browser's own notices: off until asked for, for what arrives while nobody looks, and quiet when told to be. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { answer, ask, webProject } from "./support/asking.ts";
import { DESK, inboxOf, noBrowser, untilListed } from "./support/browser.ts";

interface Shown {
  title: string;
  silent: boolean;
  requireInteraction: boolean;
  isClosed: boolean;
}

declare global {
  interface Window {
    shown: Shown[];
  }
}

describe.skipIf(noBrowser)("the browser's notices", () => {
  it("tell of what arrives while nobody looks, after the person turned them on, until oj quiet", async () => {
    const project = await webProject();
    const page = await inboxOf(project, { ...DESK, permissions: ["notifications"] });
    await page.addInitScript(pretend);
    await page.reload();
    await untilListed(page);
    const titles = () => page.evaluate(() => window.shown.map((it) => it.title));

    await ask(project, { prompt: "Before?" });
    await page.getByRole("option", { name: "Before?" }).waitFor();
    assert.deepEqual(await titles(), [], "off until asked for");

    await page.getByRole("button", { name: /Notices off/ }).click();
    await page.getByRole("button", { name: /Notices on/ }).waitFor();
    const { id } = await ask(project, { prompt: "Urgent?", urgency: "high" });
    await project.until(async () => (await titles()).length === 1);
    await ask(project, { prompt: "Whenever?", urgency: "low" });
    await project.until(async () => (await titles()).length === 2);
    const [urgent, low] = await page.evaluate(() => window.shown);
    assert.deepEqual(
      [urgent?.title, urgent?.silent, urgent?.requireInteraction],
      ["Urgent?", false, true],
      "stays until somebody reacts",
    );
    assert.deepEqual([low?.title, low?.silent], ["Whenever?", true], "makes no sound");
    await answer(project, id);
    await page.waitForFunction(() => window.shown[0]?.isClosed, undefined);

    await project.run("quiet", "on");
    const looked = page.waitForResponse(/\/api\/health/); // whether it may tell
    await ask(project, { prompt: "Quiet?" });
    await page.getByRole("option", { name: "Quiet?" }).waitFor();
    await looked;
    await project.run("quiet", "off");
    await page.getByRole("button", { name: /Notices on/ }).click();
    await page.getByRole("button", { name: /Notices off/ }).waitFor();
    await ask(project, { prompt: "Off?" });
    await page.getByRole("option", { name: "Off?" }).waitFor();
    assert.deepEqual(await titles(), ["Urgent?", "Whenever?"]);
  });
});

/** In the page: nobody looks, and a notice is only written down. */
function pretend(): void {
  window.shown = [];
  document.hasFocus = () => false;
  class Written {
    static permission = "granted";
    static requestPermission = async () => "granted";
    readonly #shown: Shown;
    constructor(title: string, { silent = false, requireInteraction = false }: NotificationOptions = {}) {
      this.#shown = { title, silent: silent ?? false, requireInteraction, isClosed: false };
      window.shown.push(this.#shown);
    }
    close(): void {
      this.#shown.isClosed = true;
    }
  }
  Object.defineProperty(window, "Notification", { value: Written });
}
