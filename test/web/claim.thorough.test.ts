/** Who is on it and how far its escalation has come: said once, up to date by itself, and a finger hits the button. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call } from "../specs/support/http.ts";
import { reachProject } from "../specs/support/reach.ts";
import { inboxOf, noBrowser, SIZES } from "./support/browser.ts";

const PEOPLE = `
[person.ana]
[person.ben]
[channel.exec.pager]
command = ["true"]
[[route]]
notify = ["ana"]
via    = ["exec.pager"]
`;

/** The second level is told when somebody lets go of the decision: a claim stops the clock of the first. */
const RUNBOOK = `
escalation "prod" {
  level {
    notify = ["ana"]
    next   = "2s"
  }
  level {
    notify = ["ben"]
  }
  deadline = "4h"
  default  = "wait"
}
job "release" {
  step "ask" {
    decision {
      prompt     = "Ship it?"
      escalation = "prod"
      option "ship" {}
      option "wait" { action = "cancel" }
    }
  }
}
command "release" { run = { job = "release" } }
`;

describe.skipIf(noBrowser)("a claim", () => {
  it.each(SIZES)("stands among the facts, with its button above, %s", async (_, size) => {
    const project = await reachProject(PEOPLE, {}, { ".oj/runbooks/release.hcl": RUNBOOK });
    const run = await project.run("run", "release");
    assert.equal(run.code, 0, run.stderr);
    const [asked] = await project.json<{ id: string }[]>("decision", "list");
    const id = asked?.id ?? assert.fail("nothing was asked");
    const claim = { headers: { "x-oj-user": "ben" }, body: { for_ms: 3_600_000 } };
    assert.equal((await call(project, "POST", `/decisions/${id}/claim`, claim)).status, 200);
    const page = await inboxOf(project, size);
    await page.getByRole("option", { name: "Ship it?" }).click();
    const facts = page.locator(".facts");
    await facts.getByText(/^ben is on it, for another/).waitFor();
    await facts.getByText(/then by default: wait$/).waitFor();
    const words = await page.locator(".decision").innerText();
    for (const fact of [/is on it/g, /by default/g])
      assert.equal(words.match(fact)?.length, 1, `${fact} stands once`);
    const release = page.getByRole("button", { name: "Release" });
    const box = (await release.boundingBox()) ?? assert.fail("no button");
    const bar = (await page.locator(".send-bar").boundingBox()) ?? assert.fail("no bar");
    assert.ok(box.y + box.height <= bar.y, "the bar hides nothing of it");
    assert.ok(
      box.x >= 8 && box.x + box.width <= size.viewport.width - 8,
      "it keeps its distance from the edge",
    );
    if (size.viewport.width < 700) assert.ok(box.height >= 44, "a finger hits it");
    await release.click();
    await page.getByRole("button", { name: "I'm on it" }).waitFor();
    await facts.getByText(/^prod, level 2 of 2/).waitFor(); // nothing was loaded again
    assert.doesNotMatch(await facts.innerText(), /is on it/);
  });
});
