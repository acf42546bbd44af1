/** The inbox as an app: it can be installed, keeps nothing, and says so when the daemon can't be reached. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { killDaemon } from "../specs/support/http.ts";
import { answer, ask, webProject } from "./support/asking.ts";
import { DESK, inboxOf, noBrowser, workerOf } from "./support/browser.ts";

describe.skipIf(noBrowser)("the inbox as an app", () => {
  it("can be installed: its manifest and icons are as the browser wants them", async () => {
    const page = await inboxOf(await webProject());
    const devtools = await page.context().newCDPSession(page);
    const { errors, data, url } = await devtools.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/manifest\.webmanifest$/);
    const { name, display, icons } = JSON.parse(data ?? "") as {
      name: string;
      display: string;
      icons: { src: string; sizes: string }[];
    };
    assert.deepEqual([name, display], ["Oddjobs", "standalone"]);
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      assert.equal(size, sizes, src);
    }
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    assert.deepEqual(
      installabilityErrors.map((it) => it.errorId).filter((it) => it !== "in-incognito"), // as every test's profile is
      [],
    );
  });

  it("keeps nothing in the browser, and says plainly that the daemon can't be reached", async () => {
    const project = await webProject();
    const page = await inboxOf(project);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await ask(project, { prompt: "Secret?" });
    await page.getByRole("option", { name: "Secret?" }).waitFor();
    const kept = await page.evaluate(async () => [await caches.keys(), await indexedDB.databases()]);
    assert.deepEqual(kept, [[], []]);

    await killDaemon(project);
    await page.reload();
    await page.getByRole("heading", { name: "Oddjobs can’t be reached" }).waitFor();
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.querySelector("h1") as Element).fontSize),
      "20px",
    );
    await project.run("daemon", "start");
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("option", { name: "Secret?" }).waitFor();
    page.troubles.length = 0; // the browser reports every call that failed meanwhile
  });

  also("opens a decision that a notification leads to in the page that is there", async () => {
    const project = await webProject();
    const page = await inboxOf(project, { ...DESK, permissions: ["notifications"] });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const { id } = await ask(project, { prompt: "This one?" });
    await ask(project, { prompt: "That one?" });
    await page.getByRole("option", { name: "That one?" }).click();
    const worker = await workerOf(page);
    await worker.evaluate(async (id) => {
      const { clients } = self as unknown as {
        clients: { matchAll(): Promise<{ postMessage(it: object): void }[]> };
      };
      for (const it of await clients.matchAll()) it.postMessage({ type: "open", decision: id });
    }, id);
    await page.getByRole("heading", { name: "This one?" }).waitFor();
    await answer(project, id);
  });
});
