/** The page through `oj serve`, for people on other machines: each with their token, and with no more than it allows. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { certificate, hasOpenssl, personWith, served } from "../specs/support/served.ts";
import { ask, decisionOf, untilAnswered, webProject } from "./support/asking.ts";
import type { Inbox } from "./support/browser.ts";
import { assertAccessible, noBrowser, pageOf, SIZES, untilListed, workerOf } from "./support/browser.ts";

async function logIn(page: Inbox, token: string): Promise<void> {
  await page.getByLabel("Your token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** The browser notes each refusal, and takes no service worker with a certificate that it doesn't know. */
function forgetRefusals(page: Inbox): void {
  const expected = /status of 40[13]|occurred when fetching the script/;
  page.troubles.splice(0, page.troubles.length, ...page.troubles.filter((it) => !expected.test(it)));
}

describe.skipIf(noBrowser || !hasOpenssl)("the inbox through oj serve", () => {
  it.each(SIZES)(
    "is a person's own, with exactly their rights, until their token is revoked, %s",
    async (_, size) => {
      const project = await webProject();
      const [shop, bank] = [
        await ask(project, { prompt: "Ship it?" }),
        await ask(project, { prompt: "Pay it?", project: "bank" }),
      ];
      const ana = await personWith(project, "ana", ["approver", "--project", "shop"], "answer");
      const ben = await personWith(project, "ben", ["viewer"], "answer");
      const url = await served(project, ...certificate(project));
      const visit = async () => {
        const page = await pageOf({ ...size, ignoreHTTPSErrors: true });
        await page.goto(url);
        return page;
      };

      const theirs = await visit();
      await logIn(theirs, `${ben.token}x`);
      await theirs.getByRole("alert").getByText("no longer counts").waitFor();
      await assertAccessible(theirs, "the login");
      await logIn(theirs, ben.token);
      await untilListed(theirs);
      await theirs.getByRole("option", { name: "Pay it?" }).waitFor();
      await theirs.getByRole("option", { name: "Ship it?" }).click();
      await theirs.getByText("You may read this, but not answer it").waitFor();
      assert.equal(await theirs.getByRole("form", { name: "Answer" }).count(), 0);
      await assertAccessible(theirs, "a decision that can only be read");

      const page = await visit();
      await logIn(page, ana.token);
      await untilListed(page);
      assert.equal(await page.getByRole("option", { name: "Pay it?" }).count(), 0);
      await page.getByRole("option", { name: "Ship it?" }).click();
      await page.getByRole("radio", { name: /Yes/ }).click();
      await page.getByRole("button", { name: /^Send: Yes/ }).click();
      const { answer } = await untilAnswered(project, shop.id);
      assert.deepEqual([answer?.by, answer?.via], ["ana", "web"]);

      const [cookie] = await page.context().cookies();
      assert.deepEqual(
        [cookie?.name, cookie?.secure, cookie?.httpOnly, cookie?.sameSite],
        ["__Host-oj", true, true, "Strict"],
      );
      await page.getByRole("button", { name: "Log out" }).click();
      await page.getByLabel("Your token").waitFor();
      const cookies = async () => (await page.context().cookies()).length;
      await project.until(async () => (await cookies()) === 0, "the end of the cookie");
      await logIn(page, ana.token);
      await untilListed(page);

      await project.json("token", "revoke", "--for", "ana");
      await page.getByLabel("Your token").waitFor();
      assert.equal((await decisionOf(project, bank.id)).state, "pending");
      await theirs.getByRole("button", { name: "Log out" }).waitFor(); // somebody else's goes on
      for (const it of [page, theirs]) forgetRefusals(it);
    },
  );

  also("is an app that can be installed: its worker and its manifest come through the door too", async () => {
    const project = await webProject();
    const ben = await personWith(project, "ben", ["viewer"], "read");
    const url = await served(project);
    const page = await pageOf();
    await page.goto(url);
    await logIn(page, ben.token);
    await untilListed(page);
    assert.ok((await workerOf(page)).url().startsWith(url));
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
      return ((await (await fetch(link?.href ?? "")).json()) as { name: string }).name;
    });
    assert.equal(manifest, "Oddjobs");
    forgetRefusals(page);
  });
});
