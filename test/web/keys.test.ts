/** Two keys per answer, whatever asks; plus its letters if the text is free. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { SOURCES } from "../../src/core/model/decision-types.ts";
import { everySource, NUMBERS } from "../specs/support/every-source.ts";
import type { Project } from "../specs/support/project.ts";
import { ask, decisionOf, webProject } from "./support/asking.ts";
import type { Inbox } from "./support/browser.ts";
import { inboxOf, noBrowser } from "./support/browser.ts";

const say = (text: string) => process.stdout.write(`    ${text}\n`);

describe.skipIf(noBrowser)("the keys for an answer in a browser", () => {
  it("are two for every source, one decision after the other", async () => {
    const { stage, sources, ended } = await everySource();
    assert.deepEqual([...sources.values()].sort(), [...SOURCES].sort());
    const page = await inboxOf(stage);
    const left = new Set(sources.keys());
    let keys = 0;
    while (left.size > 0) {
      const id = await inFocus(stage, page, left);
      const source = sources.get(id) ?? "request";
      const { number, label } = NUMBERS[source];
      for (const key of [number, "Enter"]) {
        await page.keyboard.press(key);
        keys += 1;
      }
      const { answer } = await settled(stage, id);
      assert.deepEqual([answer?.labels, answer?.via], [[label], "web"], source);
      left.delete(id);
      say(`${source}: 2 keys: ${label}`);
    }
    assert.equal(keys, 2 * sources.size);
    await ended();
  });

  it("are the letters of a free text plus two", async () => {
    const project = await webProject();
    const { id } = await ask(project, { prompt: "What now?" });
    const page = await inboxOf(project);
    await inFocus(project, page, new Set([id]));
    for (const key of ["t", ..."wait", "Enter"]) await page.keyboard.press(key);
    assert.equal((await settled(project, id)).answer?.text, "wait");
  });
});

/** The decision in focus, once it is there to be read and is one of these. */
function inFocus(project: Project, page: Inbox, left: ReadonlySet<string>): Promise<string> {
  return project.until(
    async () => {
      const title = page.locator(".pane h2[id^=title-]");
      if ((await title.count()) !== 1 || (await page.locator(".answer").count()) !== 1) return null;
      const id = ((await title.getAttribute("id")) ?? "").replace("title-", "");
      return left.has(id) ? id : null;
    },
    `one of ${[...left].join(", ")} in focus`,
  );
}

function settled(project: Project, id: string) {
  return project.until(async () => {
    const it = await decisionOf(project, id);
    return it.state === "resolved" && it;
  }, `an answer to ${id}`);
}
