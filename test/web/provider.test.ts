/** Logging in with an OpenID provider in a real browser, through `oj serve` with TLS: in, answering, out, and not in. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { CLIENT, oidcServer } from "../fakes/servers/oidc.ts";
import { tempProject } from "../specs/support/project.ts";
import { certificate, hasOpenssl, served } from "../specs/support/served.ts";
import { ask, decisionOf, untilAnswered } from "./support/asking.ts";
import type { Inbox } from "./support/browser.ts";
import { assertAccessible, noBrowser, pageOf, SIZES, untilListed } from "./support/browser.ts";

/** The browser notes each refusal, and takes no service worker with a certificate that it doesn't know. */
function forgetRefusals(page: Inbox): void {
  const expected = /status of 40[13]|occurred when fetching the script/;
  page.troubles.splice(0, page.troubles.length, ...page.troubles.filter((it) => !expected.test(it)));
}

async function world() {
  const provider = await oidcServer();
  const project = await tempProject();
  const folder = path.join(project.home, ".config/oj");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "config.toml"), "[undo]\nweb_s = 0\n");
  await project.json("invite", "ana");
  await project.json("role", "grant", "ana", "approver", "--project", "shop");
  const url = await served(project, ...certificate(project));
  fs.writeFileSync(path.join(folder, "oidc-secret"), CLIENT.secret, { mode: 0o600 });
  fs.writeFileSync(
    path.join(folder, "config.toml"),
    `[undo]
web_s = 0
[web]
serve_url = "${url}"
[oidc]
name = "Example"
issuer = "${provider.url}"
client_id = "${CLIENT.id}"
client_secret_file = "oidc-secret"
[oidc.people]
"ana@example.com" = "ana"
`,
  );
  return { provider, project, url };
}

describe.skipIf(noBrowser || !hasOpenssl)("logging in with a provider", () => {
  it.each(SIZES)(
    "shows the page that was wanted, as oneself, until one logs out or is shut out, %s",
    async (_, size) => {
      const { project, url } = await world();
      const [shop, bank] = [
        await ask(project, { prompt: "Ship it?" }),
        await ask(project, { prompt: "Pay it?", project: "bank" }),
      ];
      const page = await pageOf({ ...size, ignoreHTTPSErrors: true });
      const enter = page.getByRole("button", { name: "Log in with Example" });
      await page.goto(`${url}/#/decision/${shop.id}`);
      await enter.waitFor();
      await assertAccessible(page, "the login with a provider");
      await enter.click();
      await page.getByRole("radio", { name: /Yes/ }).click();
      assert.equal(new URL(page.url()).hash, `#/decision/${shop.id}`);
      await page.getByRole("button", { name: /^Send: Yes/ }).click();
      const { answer } = await untilAnswered(project, shop.id);
      assert.deepEqual([answer?.by, answer?.via], ["ana", "web"]);
      assert.equal(await page.getByText("Pay it?").count(), 0); // her roles, and no more
      const cookies = async () => (await page.context().cookies()).map((it) => it.name).sort();
      assert.deepEqual(await cookies(), ["__Host-oj"]);

      await page.getByRole("button", { name: "Log out" }).click();
      await enter.waitFor();
      await project.until(async () => (await cookies()).length === 0, "the end of the cookie");
      const hides = async (where: string) => {
        await page.waitForLoadState();
        assert.doesNotMatch(await page.locator("body").innerText(), /Ship it|Pay it/, where);
        assert.equal(await page.getByRole("button", { name: "Log out" }).count(), 0, where);
      };
      await page.goBack();
      await hides("back");
      await page.goForward().catch(() => null);
      await hides("forward");
      await page.goto(`${url}/#provider`); // the way back from the provider, without having been there
      await page.reload();
      await enter.waitFor();
      await hides("a link that claims to come from the provider");

      await enter.click();
      await untilListed(page);
      const [token] = await project.json<{ id: string; device?: { label: string } }[]>("token", "list");
      await project.json("token", "revoke", token?.id ?? "");
      await enter.waitFor();
      await hides("revoked");
      assert.equal(token?.device?.label, "a browser, logged in with Example");
      assert.equal((await decisionOf(project, bank.id)).state, "pending");
      forgetRefusals(page);
    },
  );

  also("says what to do when the provider fails, and in a browser that did not begin", async () => {
    const { provider, url } = await world();
    const page = await pageOf({ ignoreHTTPSErrors: true });
    const enter = page.getByRole("button", { name: "Log in with Example" });
    provider.instead = (asked, response) =>
      asked.startsWith("/.well-known") && Boolean(response.writeHead(500).end());
    await page.goto(url);
    await enter.click();
    await page.getByRole("alert").getByText("answered with 500. Try again in a moment").waitFor();
    await assertAccessible(page, "a provider that fails");

    provider.instead = (asked) => asked === "/token"; // it hangs
    await enter.click();
    await page.getByRole("heading", { name: "Not logged in" }).waitFor();
    const said = await page.locator("main").innerText();
    assert.match(said, /did not answer within 10 s/);
    assert.match(said, /Try again in a moment/);
    await assertAccessible(page, "the page of a failed login");
    const callback = page.url();
    await page.getByRole("link", { name: "To the inbox" }).click();
    await enter.waitFor();

    provider.instead = () => false;
    const other = await pageOf({ ignoreHTTPSErrors: true });
    await other.goto(callback);
    await other.getByText("this browser did not begin this login").waitFor();
    for (const it of [page, other]) forgetRefusals(it);
  });
});
