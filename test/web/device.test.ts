/** Approving a login of another machine in the page: what is shown, what comes of it, and what a hostile name can do. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "vitest";
import { call } from "../specs/support/http.ts";
import { tempProject } from "../specs/support/project.ts";
import { inboxOf, noBrowser, SIZES } from "./support/browser.ts";

const token = (id: string) => `ojp_${id}_${"s".repeat(43)}`;

describe.skipIf(noBrowser)("a login that waits for its code", () => {
  it.each(SIZES)("is shown with where it comes from and what it could do, %s", async (_, size) => {
    const project = await tempProject();
    for (const name of ["ana", "ben"]) await project.json("invite", name);
    const asked = async (id: string) => {
      const sha256 = createHash("sha256").update(token(id)).digest("hex");
      const label = "<b>eve</b>\u202e on anvil";
      const body = { id, sha256, scopes: ["read", "answer"], lasts_ms: 86_400_000, label };
      const headers = { "x-oj-remote": "1", "x-oj-address": "10.1.2.3" };
      const reply = await call(project, "POST", "/device/codes", { headers, body });
      return reply.json<{ code: string }>().code;
    };
    const state = async (id: string) => {
      const body = { token: token(id) };
      const reply = await call(project, "POST", "/device/polls", { headers: { "x-oj-remote": "1" }, body });
      const { state, person } = reply.json<{ state: string; person: string | null }>();
      return person ?? state;
    };
    const page = await inboxOf(project, size);
    const open = async (code: string) => {
      await page.evaluate((it) => (location.hash = `#/device/${it}`), code.toLowerCase());
      await page.getByRole("button", { name: "Look it up" }).click();
    };

    const [one, two] = ["a".repeat(12), "b".repeat(12)];
    const code = await asked(one);
    await open(code);
    const shown = page.getByRole("region", { name: "The login" });
    await shown.getByText("<b>eve</b>").waitFor();
    const words = await shown.innerText();
    assert.match(words, /10\.1\.2\.3/);
    assert.match(words, /read, answer/);
    assert.ok(!words.includes("\u202e"));
    await shown.getByRole("combobox", { name: "As" }).selectOption("ben");
    await shown.getByRole("button", { name: "Approve" }).click();
    await page
      .getByRole("status")
      .getByText(/is logged in as ben/)
      .waitFor();
    assert.equal(await state(one), "ben");

    await open(await asked(two));
    await shown.getByRole("button", { name: "Deny" }).click();
    await page.getByText(/is denied/).waitFor();
    assert.equal(await state(two), "access_denied");
    await open(code);
    await page
      .getByRole("alert")
      .getByText(/no login waits for the code/)
      .waitFor();
    // the browser's own note of the refusal, and nothing else
    await project.until(() => page.troubles.some((it) => it.includes("403")), "the note");
    assert.equal(page.troubles.splice(0).length, 1);
  });
});
