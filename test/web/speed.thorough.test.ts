/**
 * How fast it is: created to painted, ten thousand pending, what the browser has to load. `npm run bench -- --only web` has the figures.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, it } from "vitest";
import { measureInPage } from "../bench/page.ts";
import { answer, ask, webProject } from "./support/asking.ts";
import { inboxOf, noBrowser } from "./support/browser.ts";

const MANY = 10_000;
const QUESTIONS = 30;
const KEYS = 50;

const say = (text: string) => process.stdout.write(`    ${text}\n`);

describe("the page", () => {
  it("has less than 150 KB of compressed script", () => {
    const folder = path.join(import.meta.dirname, "../../dist/web/assets");
    const scripts = fs.readdirSync(folder).filter((it) => it.endsWith(".js"));
    const bytes = scripts.reduce(
      (sum, it) => sum + gzipSync(fs.readFileSync(path.join(folder, it))).length,
      0,
    );
    say(`script: ${(bytes / 1024).toFixed(1)} KB packed`);
    assert.ok(bytes < 150 * 1024);
  });
});

describe.skipIf(noBrowser)("the page with ten thousand pending decisions", () => {
  it("loads quickly, shows what arrives, and takes every key", async () => {
    const project = await webProject(0, { pending: MANY });
    const page = await inboxOf(project);
    await page.addInitScript(measureInPage);
    await page.reload();
    const first = await page.evaluate(() => window.bench.firstRowAt);
    await page.waitForFunction((count) => document.title === `(${count}) Oddjobs`, MANY);
    assert.ok((await page.locator(".row").count()) < 60, "only what is in sight is in the page");

    const took: number[] = [];
    for (let n = 0; n < QUESTIONS; n++) {
      const startedAt = Date.now();
      const { id } = await ask(project, { as: `a-${n}`, prompt: `Go ${n}?`, urgency: "high" });
      took.push((await page.evaluate((it) => window.bench.paintedAt(it), id)) - startedAt);
      await answer(project, id);
      await page.locator(`#row-${id}`).waitFor({ state: "detached" });
    }

    await Promise.all(Array.from({ length: KEYS }, () => page.keyboard.press("j")));
    await page.waitForFunction((at) => window.bench.position() === at, 1 + KEYS);
    await page.keyboard.press("G");
    await page.waitForFunction((at) => window.bench.position() === at, MANY);

    took.sort((a, b) => a - b);
    const half = took[QUESTIONS / 2] ?? Number.NaN;
    say(`first row ${Math.round(first)} ms; created to painted: p50 ${half} ms, most ${took.at(-1)} ms`);
    assert.ok(first < 60_000 && half < 10_000, "even on a busy machine");
  });
});
