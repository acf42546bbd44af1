/**
 * A real browser at the inbox of a real daemon.
 *
 *     const page = await inboxOf(project, PHONE);
 *     await page.getByRole("option", { name: "Ship?" }).click();
 *
 * Whatever a page tells of an error, loads from elsewhere or is refused by its policy fails the test.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Locator, Page, Worker } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import { few } from "../../everything.ts";
import type { Project } from "../../specs/support/project.ts";
import { launch } from "./chromium.ts";

export { noBrowser } from "./chromium.ts";

export const DESK = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const SIZES = few(
  [
    ["on a phone, 390x844", PHONE],
    ["on a desk, 1440x900", DESK],
  ] as const,
  1,
);

/** Nobody waits that long unless something is wrong; a busy machine may need a good part of it. */
export const PATIENCE_MS = 60_000;

const browsers = new Map<boolean, Promise<Browser>>();

/** One for all tests of a file. */
function browserOf(whole: boolean): Promise<Browser> {
  const known = browsers.get(whole);
  if (known !== undefined) return known;
  const launched = launch({ whole });
  browsers.set(whole, launched);
  return launched;
}

afterAll(async () => {
  for (const it of browsers.values()) await (await it).close();
});

export interface Inbox extends Page {
  /** What went wrong in the page; a test that expects something removes it. */
  troubles: string[];
}

/** Logged in, with the list there. */
export async function inboxOf(project: Project, size: BrowserContextOptions = DESK): Promise<Inbox> {
  const page = await pageOf(size);
  await logIn(page, project);
  return page;
}

export async function logIn(page: Page, project: Project): Promise<void> {
  const { url } = await project.json<{ url: string }>("web");
  await page.goto(url);
  await untilListed(page);
}

/** A title alone says nothing: before the page has drawn anything, it is that of an empty inbox. */
export async function untilListed(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const count = document.querySelector("nav .count")?.textContent ?? "";
    return /^\d/.test(count) && document.title !== "(?) Oddjobs";
  });
}

/** The page's service worker, which may still be on its way to us when it controls the page already. */
export async function workerOf(page: Page): Promise<Worker> {
  const [known] = page.context().serviceWorkers();
  return known ?? page.context().waitForEvent("serviceworker");
}

/** False if it is not there, or went away before it could be clicked. */
export async function clicked(button: Locator): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE_MS; (await button.count()) > 0; )
    try {
      await button.click({ timeout: 2000 });
      return true;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  return false;
}

export async function pageOf(size: BrowserContextOptions = DESK): Promise<Inbox> {
  const browser = await browserOf(size.permissions?.includes("notifications") ?? false);
  const context = await browser.newContext({ reducedMotion: "reduce", ...size });
  const troubles: string[] = [];
  const page = Object.assign(await context.newPage(), { troubles });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (it) => {
    if (it.type() === "error" || it.type() === "warning") troubles.push(it.text());
  });
  page.on("dialog", (it) => {
    troubles.push(`dialog: ${it.message()}`);
    void it.dismiss();
  });
  page.on("request", (it) => {
    if (!/^(https?:\/\/(127\.0\.0\.1|localhost):|data:)/.test(it.url())) troubles.push(`loads ${it.url()}`);
  });
  onTestFinished(async ({ task }) => {
    await context.close();
    if (task.result?.state !== "fail") assert.deepEqual(troubles, [], "what the page complained of");
  });
  return page;
}

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What the automated check finds against WCAG 2.2 AA and its best practices, in light and in dark: nothing. */
export async function assertAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(AXE); // by the debugger: the page's own policy lets no script in
  for (const [colorScheme, rules] of Object.entries(RULES) as ["dark" | "light", string[]][]) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violationsOn(page, rules), [], `accessibility: ${where}, ${colorScheme}`);
  }
}

/** By their tags or names. The schemes differ only in colours. */
const RULES = {
  dark: ["color-contrast"],
  light: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};

async function violationsOn(page: Page, runOnly: string[]): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run({ runOnly });
    return violations.flatMap(({ id, help, nodes }) => {
      // what lies half under the bar at this moment can be scrolled out; sizes are measured in phone.test.ts
      const found = nodes.filter((one) => !/partially obscured/.test(one.failureSummary));
      const words = found.map((one) => `  ${one.html.slice(0, 200)}\n  ${one.failureSummary}`);
      return found.length === 0 ? [] : [`${id}: ${help}\n${words.join("\n")}`];
    });
  }, runOnly);
}
