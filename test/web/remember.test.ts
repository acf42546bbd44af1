/** "Remember this" in the browser: the rule in sight, two keys, and the job's rule that ends with the job. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { agentStage } from "../specs/support/agents.ts";
import { assertAccessible, inboxOf, noBrowser, SIZES } from "./support/browser.ts";

const asks = (file: string) => ({ tool: "Bash", input: { command: `touch ${file}` }, real: true });

interface Listed {
  name: string;
  file: string;
}

describe.skipIf(noBrowser).each(SIZES)("an approval remembered %s", (_, size) => {
  it("for this job is not asked again until the job ends", async () => {
    const turns = [[asks("a"), asks("a"), asks("b"), { signal: "done" }]];
    const stage = await agentStage({ asks: { scenario: { turns } } });
    const run = await stage.job("asks");
    const { title } = await run.asked("approval");
    const page = await inboxOf(stage, size);
    await page.getByRole("option", { name: title }).click();
    await page.getByRole("button", { name: /Remember this/ }).click();
    const dialog = page.getByRole("dialog", { name: "Remember this" });
    await dialog.getByText('command = "touch a"').waitFor();
    await assertAccessible(page, "the rule of an approval");
    await dialog.getByRole("radio", { name: /For this job/ }).check();
    const accept = dialog.getByRole("button", { name: /Approve and remember|Read on/ });
    await stage.until(async () => {
      if (!(await dialog.isVisible())) return true;
      await accept.click({ timeout: 2000 }).catch(() => {}); // it may close meanwhile
      return undefined;
    });
    const next = await stage.until(async () => {
      const all = await stage.json<{ id: string; title: string; state: string }[]>("decision", "list");
      return all.find((it) => it.title.includes("touch b"));
    });
    const during = await stage.json<Listed[]>("policy", "list");
    assert.deepEqual(
      during.map((it) => it.name),
      ["touch a"],
    );
    await stage.run("decision", "resolve", next.id, "approve");
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(await stage.json("policy", "list"), [], "the rule ends with the job");
    assert.equal(fs.existsSync(path.join(stage.dir, ".oj/runbooks/remembered.hcl")), false);
    const log = await stage.json<Listed[]>("policy", "log");
    assert.deepEqual(
      log.map((it) => it.name),
      ["touch a"],
    );
  });
});
