/** Answers that are signed with a passkey, in a real browser with an authenticator of its own. */
import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { describe, it } from "vitest";
import type { Project } from "../specs/support/project.ts";
import { tempProject } from "../specs/support/project.ts";
import { noBrowser, pageOf, SIZES } from "./support/browser.ts";

const RUNBOOK = `
job "release" {
  step "ask" {
    decision {
      prompt = "Ship it?"
      fresh  = "passkey 5m"
      option "ship" {}
      option "stop" { action = "cancel" }
    }
  }
}
command "release" { run = { job = "release" } }
`;

const owner = userInfo().username;

async function asked(project: Project): Promise<string> {
  const run = await project.run("run", "release");
  assert.equal(run.code, 0, run.stderr);
  const [one] = await project.json<{ id: string }[]>("decision", "list");
  return one?.id ?? assert.fail("nothing was asked");
}

/** A page whose browser has an authenticator, on the machine's name: numbers can have no passkeys. */
async function withAuthenticator(size: (typeof SIZES)[number][1]) {
  const page = await pageOf(size);
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const verified = (isUserVerified: boolean) =>
    session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  return { page, verified };
}

describe.skipIf(noBrowser)("a passkey", () => {
  it.each(SIZES)("is registered with a link, and signs one answer, %s", async (_, size) => {
    const project = await tempProject({ ".oj/runbooks/release.hcl": RUNBOOK });
    await project.json("invite", owner);
    const id = await asked(project);
    // nothing but the page says yes
    const bare = await project.run("decision", "resolve", id, "ship");
    assert.equal(bare.code, 1);
    assert.match(bare.stderr, /a yes takes .*passkey.*in the web inbox/);

    const { page, verified } = await withAuthenticator(size);
    const { url } = await project.json<{ url: string }>("passkey", "add", owner);
    assert.match(url, /^http:\/\/localhost:\d+\/#/);
    await page.goto(url);
    await page.getByLabel("What to call it").fill("phone");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("status").getByText(`The passkey of ${owner} is registered.`).waitFor();
    const [listed] = await project.json<{ id: string; label: string; rp_id: string }[]>("passkey", "list");
    assert.deepEqual([listed?.label, listed?.rp_id], ["phone", "localhost"]);

    const ship = async () => {
      await page
        .getByRole("radio", { name: "ship" })
        .or(page.getByText("ship", { exact: true }))
        .first()
        .click();
      await page.getByRole("button", { name: /^Send: ship/ }).click();
    };
    await page.evaluate((it) => (location.hash = `#/decision/${it}`), id);
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    await verified(false); // a device that can't tell who is there
    await ship();
    await page
      .getByText(/the browser gave no passkey/)
      .first()
      .waitFor();
    await verified(true);
    await ship();
    const state = async () => (await project.json<{ state: string }>("decision", "show", id)).state;
    await project.until(async () => (await state()) === "resolved", "the answer");
    const { signed } = await project.json<{ signed: { by: string; passkey: string; is_valid: boolean }[] }>(
      "audit",
      "show",
      id,
    );
    assert.deepEqual(signed, [{ by: owner, passkey: listed?.id, is_valid: true }]);
    assert.match((await project.run("audit", "show", id)).stdout, /signed +by .* with passkey .*: valid/);
    assert.equal((await project.run("audit", "verify")).code, 0);

    assert.equal((await project.run("passkey", "remove", listed?.id.slice(0, 12) ?? "")).code, 0);
    assert.deepEqual(await project.json("passkey", "list"), []);
    const notes = page.troubles.splice(0).filter((it) => !it.includes("403"));
    assert.deepEqual(notes, []);
  });
});
