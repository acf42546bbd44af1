/** Text from agents stays text: whatever it says, in whichever field, nothing in it runs and nothing is loaded. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { DecisionView } from "../../src/api/api.ts";
import { briefOf } from "../../src/core/decision/brief.ts";
import { also, someOf } from "../everything.ts";
import { hostileDecisions } from "../fakes/hostile-decision.ts";
import { ask, decisionOf, webProject } from "./support/asking.ts";
import { inboxOf, noBrowser } from "./support/browser.ts";
import { hostileFor } from "./support/hostile.ts";

/** A parser that is led astray takes minutes; a busy machine needs some seconds for anything. */
const SLOW_MS = 30_000;

describe.skipIf(noBrowser)("hostile text", () => {
  it("runs nothing and loads nothing, in every field of a decision and in every state", async () => {
    const project = await webProject();
    const real = await decisionOf(project, (await ask(project, { prompt: "Ship it?" })).id);
    const views = Object.entries(hostileDecisions).flatMap(([name, make]) => {
      const texts = hostileFor(name);
      assert.ok(texts.length >= 200);
      return someOf(texts, 50).map((text, at) => ({
        ...make(real, text),
        id: `dec-${name}${at}` as DecisionView["id"],
      }));
    });
    const page = await inboxOf(project, { viewport: { width: 1000, height: 500 } });
    await page.addInitScript(answerWith, {
      views: Object.fromEntries(views.map((it) => [it.id, it])),
      briefs: views.map((it) => ({ ...briefOf(it), state: "pending", held: null })),
    });
    await page.reload();
    await page.locator(".row").first().waitFor();
    const ids = views.map((it) => it.id);
    assert.deepEqual(await page.evaluate(lookAtEach, ids), []);
  }, 900_000);

  also("that is slow to parse is shown as is, at once", async () => {
    const project = await webProject();
    const page = await inboxOf(project);
    const texts = [
      "[".repeat(50_000),
      "> ".repeat(20_000),
      "*a ".repeat(20_000),
      `${"`".repeat(20_000)}x`,
      "- ".repeat(10_000),
      "| a ".repeat(10_000),
      "![".repeat(20_000),
      "<a ".repeat(20_000),
    ];
    for (const [at, context] of texts.entries()) {
      const { title } = await ask(project, { prompt: `Slow ${at}?`, context });
      const startedAt = Date.now();
      await page.getByRole("option", { name: title }).click();
      await page.getByRole("heading", { name: title, level: 2 }).waitFor();
      assert.ok(
        Date.now() - startedAt < SLOW_MS,
        `${context.slice(0, 10)} took ${Date.now() - startedAt} ms`,
      );
    }
  });
});

/** In the page: goes to each decision, and reports whatever is not text. */
async function lookAtEach(ids: string[]): Promise<string[]> {
  const elements =
    "script,img,iframe,object,embed,link,style,base,meta,video,audio,math,template,svg *:not(.empty-mark *)";
  const bad: string[] = [];
  const app = document.querySelector("#app") as HTMLElement;
  for (const id of ids) {
    location.hash = `#/decision/${id}`;
    const deadline = Date.now() + 60_000;
    while (!document.getElementById(`title-${id}`)) {
      if (Date.now() > deadline) return [...bad, `${id} is not shown`];
      await new Promise((resolve) => setTimeout(resolve));
    }
    for (const it of app.querySelectorAll(elements)) bad.push(`${id}: ${it.outerHTML.slice(0, 100)}`);
    for (const it of app.querySelectorAll("*"))
      for (const { name, value } of it.attributes)
        if (name.startsWith("on") || (name === "href" && !/^(#|https?:)/.test(value)) || name === "srcdoc")
          bad.push(`${id}: ${name}=${value.slice(0, 100)}`);
    if ("__xss" in window) bad.push(`${id}: it ran`);
  }
  return bad;
}

/** In the page: the daemon's answers are these. */
function answerWith({ views, briefs }: { views: Record<string, unknown>; briefs: unknown[] }): void {
  const real = window.fetch;
  window.fetch = async (input, init) => {
    const id = /\/api\/decisions\/(dec-\w+)$/.exec(String(input))?.[1];
    if (id) return Response.json(views[id]);
    if (/\/api\/decisions\/dec-\w+\/\w+$/.test(String(input))) return Response.json({}); // that it was looked at
    if (/\/api\/decisions\?/.test(String(input)))
      return Response.json(briefs, { headers: { "x-oj-seq": "0" } });
    return real(input, init);
  };
}
