import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentStage } from "../specs/support/agents.ts";
import { assertAccessible, inboxOf, noBrowser, SIZES } from "./support/browser.ts";

const RUNBOOK = `
job "nightly" {
  step "build" { run = "exit 2" }
}
command "nightly" { run = { job = "nightly" } }
`;

describe.skipIf(noBrowser)("the fleet", () => {
  it.each(SIZES)("shows what hangs and what failed first, and drops a failure, %s", async (_, size) => {
    const hangs = { turns: [[{ say: "Off I go." }, { hang: 600_000 }]] };
    const stage = await agentStage(
      { stuck: { scenario: hangs, more: `hung_after = "3s"` } },
      { runbook: RUNBOOK },
    );
    const run = await stage.job("stuck");
    const { id } = await run.asked("idle");
    const { job_id } = await stage.json<{ job_id: string }>("run", "nightly");
    const page = await inboxOf(stage, size);
    await page.getByRole("link", { name: "Fleet" }).click();
    const rows = page.locator(".fleet-row");
    await page.locator(".fleet-failed").waitFor();
    assert.match(
      await rows.nth(0).innerText(),
      /hung[\s\S]*stuck · work[\s\S]*Hung: no output and no report/,
    );
    assert.match(await rows.nth(1).innerText(), /failed[\s\S]*nightly · build[\s\S]*exit code 2/);
    await rows.nth(0).locator("summary").click();
    await page.getByText(`oj agent attach ${run.agent}`).waitFor();
    await page.getByRole("button", { name: "Peek" }).click();
    await page.getByRole("group", { name: "Terminal" }).getByText("Off I go.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    const words = page.getByRole("textbox", { name: `Words for ${run.agent}` });
    const send = page.getByRole("button", { name: "Send", exact: true });
    const tooLong = "x".repeat(100_001);
    await words.fill(tooLong);
    await send.click();
    await page
      .getByRole("status")
      .filter({ hasText: /text: .*100,?000/ })
      .waitFor();
    assert.equal(await words.inputValue(), tooLong, "what was refused stays");
    assert.deepEqual(run.heard(), []);
    page.troubles.length = 0; // the browser's own line about the refused call
    await words.fill("also update the changelog");
    await send.click();
    await page
      .getByRole("status")
      .filter({ hasText: /gets it/ })
      .waitFor();
    assert.equal(await words.inputValue(), "");
    await assertAccessible(page, "the fleet");
    await rows.nth(1).locator("summary").click();
    await page.getByRole("button", { name: "Drop" }).click();
    await page.locator(".fleet-failed").waitFor({ state: "detached" });
    const status = await stage.json<{ failed: { id: string }[] }[]>("status");
    assert.equal(
      status.some((it) => it.failed.some((one) => one.id === job_id)),
      false,
    );
    await page.getByRole("button", { name: "Open its decision" }).click();
    await page.getByRole("heading", { name: /^Hung/, level: 2 }).waitFor();
    assert.match(page.url(), new RegExp(id));
  });
});
