/** Several tabs of one browser: they share one event stream, whoever has it, and none of them waits for a connection. */
import assert from "node:assert/strict";
import http from "node:http";
import type { Page } from "playwright-core";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { agentStage } from "../specs/support/agents.ts";
import { killDaemon, socketOf } from "../specs/support/http.ts";
import { tempProject } from "../specs/support/project.ts";
import { settingsWith, undoAfter } from "../specs/support/settings.ts";
import { ask, decisionOf, webProject } from "./support/asking.ts";
import {
  clicked,
  DESK,
  inboxOf,
  logIn,
  noBrowser,
  PATIENCE_MS,
  pageOf,
  untilListed,
} from "./support/browser.ts";

/** More than a browser has connections for a host. */
const MANY = 8;

/** The tabs other than the first, each live. */
async function moreTabs(first: Page, count: number): Promise<Page[]> {
  return openTabs(first, count, untilListed);
}

async function openTabs(first: Page, count: number, until = async (_: Page) => {}): Promise<Page[]> {
  const tabs: Page[] = [];
  for (let n = 0; n < count; n++) {
    const tab = await first.context().newPage();
    tab.setDefaultTimeout(PATIENCE_MS);
    await tab.goto(new URL(first.url()).origin);
    await until(tab);
    tabs.push(tab);
  }
  return tabs;
}

/** How many event streams began since, in tabs that are still open. */
function streamsOf(page: Page): () => number {
  const begun: Page[] = [];
  page.context().on("request", (it) => {
    if (it.url().includes("/api/events")) begun.push(it.frame().page());
  });
  return () => begun.filter((it) => !it.isClosed()).length;
}

const shows = (tab: Page, title: string) => tab.getByRole("option", { name: title }).waitFor();

describe.skipIf(noBrowser)("several tabs", () => {
  it("are all live through one stream, can all answer, and lose nothing when the leading one is closed", async () => {
    const project = await webProject();
    const first = await pageOf(DESK);
    const streams = streamsOf(first);
    await logIn(first, project);
    await project.until(() => streams() === 1, "the stream of the first");
    const tabs = [first, ...(await moreTabs(first, MANY - 1))];
    assert.equal(streams(), 1, "only the first has one");
    const titles = tabs.map((_, n) => `Restart web-${n}?`);
    const ids: string[] = [];
    for (const prompt of titles) ids.push((await ask(project, { prompt })).id);
    for (const tab of tabs) for (const title of titles) await shows(tab, title);

    for (const [n, tab] of tabs.entries()) {
      await tab.bringToFront(); // a background tab draws slowly
      await tab.getByRole("option", { name: titles[n] ?? "" }).click();
      // what the previous tab answered may have been in focus here: then nothing is accepted for a moment
      const yes = tab.getByRole("radio", { name: "Yes" });
      await project.until(async () => (await yes.check({ timeout: 2000 })) ?? true, "the choice");
      await tab.getByRole("button", { name: "Send: Yes" }).click();
      await project.until(
        async () => (await decisionOf(project, ids[n] ?? "")).state === "resolved",
        `tab ${n}`,
      );
    }
    for (const tab of tabs) await tab.waitForFunction(() => document.title === "Oddjobs");

    // The leading tab goes, and the next, while questions arrive.
    for (let gone = 0; gone < 3; gone++) {
      const asked = Array.from({ length: 10 }, (_, n) => `Deploy ${gone}-${n}?`);
      const asking = (async () => {
        for (const prompt of asked) await ask(project, { prompt });
      })();
      await tabs.shift()?.close();
      await asking;
      const count = (gone + 1) * 10;
      for (const tab of tabs) await tab.waitForFunction((it) => document.title === `(${it}) Oddjobs`, count);
      await project.until(() => streams() === 1, "one of them has the stream now");
    }
  });

  also("all say that the daemon is away, and all recover", async () => {
    const project = await webProject();
    const first = await inboxOf(project, DESK);
    const tabs = [first, ...(await moreTabs(first, 3))];
    await ask(project, { prompt: "Ship it?" });
    for (const tab of tabs) await shows(tab, "Ship it?");
    await killDaemon(project);
    for (const tab of tabs) await tab.getByText("The daemon can't be reached.").waitFor();
    await project.run("daemon", "start");
    await ask(project, { prompt: "Ship that?" });
    for (const tab of tabs) await tab.waitForFunction(() => document.title === "(2) Oddjobs");
    await ask(project, { prompt: "Ship them all?" });
    for (const tab of tabs) await shows(tab, "Ship them all?");
    first.troubles.length = 0; // the browser's own lines about a daemon that is away
  });

  also("all say that the daemon has no stream for them, and all recover", async () => {
    const project = await tempProject({}, settingsWith("[limits]\nstreams = 2\n")); // one for its own user
    await project.run("daemon", "start");
    const hog = http.get({ socketPath: socketOf(project), path: "/events", agent: false });
    onTestFinished(() => void hog.destroy());
    hog.on("error", () => {});
    await new Promise((resolve) => hog.once("response", resolve));
    await ask(project, { prompt: "Ship it?" });
    const first = await pageOf(DESK); // its title never says how many: it is not live
    await first.goto((await project.json<{ url: string }>("web")).url);
    await shows(first, "Ship it?");
    const tabs = [first, ...(await openTabs(first, 2))];
    const words = "you have 1 event stream open, and 1 of 2 are left for others: end one of yours first";
    for (const tab of tabs) {
      await shows(tab, "Ship it?");
      await tab.getByText(words).waitFor();
      await tab.getByText("What you see may be out of date").waitFor();
    }
    await ask(project, { prompt: "Ship that?" });
    hog.destroy();
    const last = tabs.at(-1) ?? assert.fail();
    await last.bringToFront();
    // it follows: the leading tab has to try, unless it has just done so by itself
    await clicked(last.getByRole("button", { name: "Try now" }));
    for (const tab of tabs) {
      await shows(tab, "Ship that?");
      await tab.getByText(words).waitFor({ state: "detached" });
    }
    await ask(project, { prompt: "Ship them all?" });
    for (const tab of tabs) await shows(tab, "Ship them all?");
    first.troubles.length = 0; // the browser's own lines about what was refused
  });

  also("leave connections for the others even if they show terminals", async () => {
    const push = { tool: "Bash", input: { command: "git push" } };
    const stage = await agentStage({ pushes: { scenario: { turns: [[push]] } } }, undoAfter(0));
    await (await stage.job("pushes")).asked("approval");
    const first = await inboxOf(stage, DESK);
    const tabs = [first, ...(await moreTabs(first, MANY - 1))];
    for (const tab of tabs) {
      await tab.bringToFront(); // a background tab draws slowly
      await tab.getByRole("button", { name: "Terminal" }).click();
    }
    const dialogIn = (tab: Page) => tab.locator(".terminal").getByText("Do you want to proceed?");
    const isLive = (tab: Page) => dialogIn(tab).isVisible();
    const counted = async () => (await Promise.all(tabs.map(isLive))).filter((it) => it).length;
    await stage.until(async () => (await counted()) === 3, "three are live");
    for (const tab of tabs.slice(3)) await tab.getByText(/other tabs are showing a terminal/).waitFor();
    await ask(stage, { prompt: "Still there?" });
    for (const tab of tabs) await tab.waitForFunction(() => document.title === "(2) Oddjobs");
    const last = tabs.at(-1) ?? assert.fail();
    for (const tab of tabs.slice(0, 7)) {
      await tab.bringToFront();
      await tab.getByRole("button", { name: "Close" }).click();
    }
    await dialogIn(last).waitFor();
  });
});
