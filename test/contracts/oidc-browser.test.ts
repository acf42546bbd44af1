/** Browsers that log in with an OpenID provider at `oj serve`: who they are then, what ends it, and who stays outside. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { SERVED, world } from "./oidc-world.ts";
import { until } from "./temp.ts";

describe("a browser that logs in with an OpenID provider", () => {
  it("is that person, with their own roles, recorded as such, until they log out", async () => {
    const { browser, call, events } = await world('name = "Example"');
    const viewer = { name: "ana", role: "viewer", project: null };
    assert.equal((await call("POST", "/roles/grant", viewer)).status, 200);
    const page = browser();
    const outside = await page.send("GET", "/api/me");
    assert.deepEqual(outside.json.error?.details, { with: "token", provider: "Example" });
    const { json } = await page.logIn("#/decision/dec-1");
    assert.equal(json.next, "#/decision/dec-1");
    assert.equal(await page.name(), "ana");
    assert.deepEqual([...page.cookies.keys()], ["__Host-oj"]);
    const trusted = events().find((it) => it.type === "person:trusted");
    const device = { label: "a browser, logged in with Example", address: "10.9.8.7" };
    assert.deepEqual([trusted?.id, trusted?.by, trusted?.device], ["ana", "ana", device]);
    assert.equal((await page.send("GET", "/api/decisions")).status, 200);
    assert.equal((await page.send("POST", "/api/people", { name: "eve" })).status, 403); // a viewer's rights
    assert.equal((await call("POST", "/roles/revoke", viewer)).status, 200);
    assert.equal((await page.send("GET", "/api/stats")).status, 403);
    const logins = (await call("GET", "/web/logins")).json as object[];
    assert.deepEqual(
      logins.map((it) => Object.keys(it).sort()),
      [["browser", "created_at_ms", "id", "used_at_ms", "user"]],
    );

    assert.equal((await page.send("POST", "/logout", {})).text, '{"provider":"Example"}');
    assert.equal(await page.name(), null);
    assert.equal((await page.enter()).json.error?.code, "login.refused"); // no second time
    await until(() => events().some((it) => it.type === "person:distrusted"));
    assert.deepEqual((await call("GET", "/tokens")).json, []); // nothing is left of it
  });

  it("ends when their tokens are revoked, and is replaced when they log in anew", async () => {
    const { browser, call, events } = await world();
    const [one, two] = [browser(), browser()];
    for (const it of [one, two]) await it.logIn();
    assert.deepEqual([await one.name(), await two.name()], ["ana", "ana"]);
    await one.logIn();
    await until(() => events().filter((it) => it.type === "person:distrusted").length === 1);
    await call("POST", "/tokens/revoke", { person: "ana" });
    assert.deepEqual([await one.name(), await two.name()], [null, null]);
  });

  it("is refused in every browser but the one that began", async () => {
    const { browser, provider, get, events, base } = await world();
    const [mine, theirs] = [browser(), browser()];
    const begun = (await mine.begin()).json.location ?? "";
    assert.equal(new URL(begun).searchParams.get("redirect_uri"), `${SERVED}/oidc/callback`);

    // somebody sends a stranger the address that they were led back to: it must not log the stranger in as them
    const stolen = await theirs.back(begun);
    assert.equal(stolen.status, 403);
    assert.match(stolen.text, /did not begin this login/);
    assert.match(stolen.text, /Log in again from the start/);
    await theirs.begin();
    assert.match((await theirs.back(begun)).text, /belongs to another login/);
    assert.equal((await theirs.enter()).json.error?.code, "login.refused");

    // after the provider has named them, the page alone is not enough either
    assert.equal((await mine.back(begun)).location, "/#provider");
    assert.equal((await theirs.enter()).json.error?.code, "login.refused");
    // what the browser kept while it was away is no entry
    const early = browser();
    await early.begin();
    assert.equal((await early.enter()).json.error?.code, "login.refused");
    assert.equal((await mine.enter()).status, 200);
    assert.deepEqual([await mine.name(), await theirs.name(), await early.name()], ["ana", null, null]);
    assert.equal(events().filter((it) => it.type === "person:trusted").length, 1);

    // at another name of this server nothing is offered, and the provider is not asked
    const calls = provider.calls.length;
    const other = { host: "evil.example", origin: "https://evil.example" };
    assert.equal((await theirs.send("POST", "/oidc/begin", {}, other)).status, 403);
    assert.equal((await theirs.send("GET", "/oidc/login?code=x", undefined, other)).status, 403);
    const { json } = await theirs.send("GET", "/api/me", undefined, other);
    assert.deepEqual(json.error?.details, { with: "token", provider: null });
    // a page of another site can't begin a login, and this machine's own port has none
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    assert.equal((await theirs.send("POST", "/oidc/begin", {}, foreign)).status, 403);
    assert.equal((await theirs.send("GET", "/oidc/begin")).status, 404);
    assert.equal((await get(`${base}/oidc/begin`)).status, 404);
    assert.equal(provider.calls.length, calls);
  });

  it("forgets who came back and did not go on, and who took too long", async () => {
    const { browser, ports } = await world();
    const page = browser();
    await page.back((await page.begin()).json.location ?? "");
    const { monotonic } = ports.clock;
    ports.clock.monotonic = () => monotonic() + 121_000;
    assert.match((await page.enter()).text, /did not just come back/);
    const late = browser();
    const { location = "" } = (await late.begin()).json;
    ports.clock.monotonic = () => monotonic() + 121_000 + 601_000;
    assert.match((await late.back(location)).text, /took longer than ten minutes/);
    for (const it of [page, late]) assert.equal(await it.name(), null);
  });

  it("goes back to a place in our own page, and nowhere else", async () => {
    const { browser } = await world();
    const ours = [
      "",
      "#/",
      "#/decision/dec-1",
      "#/history?search=a%20b&by=ana",
      "#decision=dec-1",
      "#passkey=YQ.b-c",
    ];
    const hostile = [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "/",
      "evil.example",
      "javascript:alert(1)",
      "data:text/html,x",
      "#//evil.example",
      "#/\\evil.example",
      "#/x\r\nset-cookie: a=b",
      "#/\u0000",
      "#/<script>",
      '#/"onload="',
      "#login=abc",
      "#decision=dec-1&login=abc",
      "#provider",
      " #/decision/dec-1",
      "#/decision/\u202e",
      `#/${"x".repeat(600)}`,
      ["#/decision/dec-1"],
      { toString: "#/" },
      7,
      null,
    ];
    const went: unknown[] = [];
    for (const next of [...ours, ...hostile]) went.push((await browser().logIn(next)).json.next);
    assert.deepEqual(went, [...ours, ...hostile.map(() => "")]);
  });
});
