/** Logging in with an OpenID provider: a real small one on loopback, and every lie that it could tell. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeDaemon } from "../fakes/daemon.ts";
import type { Key } from "../fakes/servers/oidc.ts";
import { CLIENT, coded, makeKey, signed, signedWithPublic } from "../fakes/servers/oidc.ts";
import { world } from "./oidc-world.ts";

type Claims = Record<string, unknown>;

describe("logging in with an OpenID provider", () => {
  it("approves a login as the person that the provider names, once they have seen it", async () => {
    const { logIn, decide, stateOf, provider, events, ports } = await world();
    for (const alg of ["RS256", "ES256"] as const) {
      provider.keys = [makeKey(alg)]; // it changes its keys from time to time
      const { id, page, ticket, cookie } = await logIn();
      assert.equal(page.status, 200, page.text);
      for (const words of [
        /as <strong>ana<\/strong>/,
        /&lt;i&gt;anvil/,
        /From 10\.0\.\d+\.1/,
        /It could read/,
      ])
        assert.match(page.text, words);
      assert.equal(await stateOf(id), "authorization_pending"); // nothing yet
      assert.match((await decide(ticket, cookie)).text, /logged in as ana/);
      assert.equal(await stateOf(id), "ana");
      const { monotonic } = ports.clock;
      ports.clock.monotonic = () => monotonic() + 11_000; // keys are looked for again, but not all the time
    }
    const trusted = events().filter((it) => it.type === "person:trusted");
    assert.deepEqual(
      trusted.map((it) => it.by),
      ["ana", "ana"],
    );
    const denied = await logIn();
    assert.match((await decide(denied.ticket, denied.cookie, "deny")).text, /Denied/);
    assert.equal(await stateOf(denied.id), "access_denied");
  });

  it("refuses every token that is not the provider's own, for this login, now", async () => {
    const { logIn, stateOf, provider } = await world();
    const stranger = makeKey("RS256");
    const small = makeKey("ES256");
    const now = Math.floor(Date.now() / 1000);
    const change = (more: Claims) => (claims: Claims, key: Key) =>
      signed({ alg: key.alg, kid: key.kid }, { ...claims, ...more }, key);
    const table: Record<string, [(claims: Claims, key: Key) => string, RegExp]> = {
      "alg none": [(it) => `${coded({ alg: "none" })}.${coded(it)}.`, /no ID token that can be read/],
      "alg none, with a signature": [
        (it) => `${coded({ alg: "none" })}.${coded(it)}.AA`,
        /"none"; only RS256/,
      ],
      "HS256 with the public key": [(it, key) => signedWithPublic(it, key), /"HS256"; only RS256/],
      "a header from the prototype": [(it) => `${coded({ alg: "toString" })}.${coded(it)}.AA`, /only RS256/],
      "another key under its name": [
        (it, key) => signed({ alg: "RS256", kid: key.kid }, it, stranger),
        /signature of the ID token is not the provider's/,
      ],
      "a key that it doesn't have": [
        (it) => signed({ alg: "RS256", kid: stranger.kid }, it, stranger),
        /signed with a key that the provider doesn't have/,
      ],
      "its own key in the header": [
        (it) => signed({ alg: "RS256", jwk: stranger.publicKey.export({ format: "jwk" }) }, it, stranger),
        /signature of the ID token is not the provider's/,
      ],
      "the other algorithm": [
        (it, key) => signed({ alg: "ES256", kid: key.kid }, it, small),
        /signed with a key that the provider doesn't have/,
      ],
      "an extension": [
        (it, key) => signed({ alg: "RS256", kid: key.kid, crit: ["b64"] }, it, key),
        /extension/,
      ],
      "claims changed after signing": [
        (it, key) => {
          const [head, , mark] = signed({ alg: "RS256", kid: key.kid }, it, key).split(".");
          return `${head}.${coded({ ...it, sub: "root" })}.${mark}`;
        },
        /signature of the ID token is not the provider's/,
      ],
      "another issuer": [change({ iss: "https://evil.example" }), /issued by "https:\/\/evil.example"/],
      "another audience": [change({ aud: "other" }), /is for "other"/],
      "several audiences and no party": [change({ aud: [CLIENT.id, "other"] }), /was given to nobody/],
      "another party": [change({ azp: "other" }), /was given to "other"/],
      expired: [change({ exp: now - 61 }), /has expired/],
      "no end": [change({ exp: undefined }), /has expired/],
      "an end in words": [change({ exp: "never" }), /has expired/],
      "from the future": [change({ iat: now + 120 }), /not made just now/],
      "from long ago": [change({ iat: now - 3600 }), /not made just now/],
      "not yet": [change({ nbf: now + 120 }), /does not count yet/],
      "another nonce": [change({ nonce: "x" }), /belongs to another login/],
      "no nonce": [change({ nonce: undefined }), /belongs to another login/],
      nobody: [change({ sub: "" }), /does not say who/],
      "an address that nobody verified": [change({ email_verified: false }), /not verified/],
      "verified in words": [change({ email_verified: "true" }), /not verified/],
      "no address": [change({ email: undefined }), /does not say your email/],
      "somebody who was not invited": [change({ email: "eve@example.com" }), /was not invited here/],
      "an address like a program's": [change({ email: "mcp:desktop" }), /was not invited here/],
      "no token": [() => "", /no ID token that can be read/],
      "no JSON": [() => "a.b.c", /no ID token that can be read/],
      "far too long": [change({ more: "x".repeat(40_000) }), /no ID token that can be read/],
    };
    const wrong: string[] = [];
    for (const [name, [token, words]] of Object.entries(table)) {
      provider.token = token;
      const { id, page, ticket } = await logIn();
      if (page.status !== 403 || !words.test(page.text.replaceAll("&quot;", '"').replaceAll("&#39;", "'")))
        wrong.push(`${name}: ${page.status} ${/<p>(.*)<\/p>/.exec(page.text)?.[1]}`);
      if (ticket !== "" || (await stateOf(id)) !== "authorization_pending") wrong.push(`${name}: got in`);
    }
    assert.deepEqual(wrong, []);
  });

  it("refuses what another browser began, what was used, and what was made up", async () => {
    const { ask, throughProvider, logIn, get, decide, base, stateOf } = await world();
    const [one, two] = [await throughProvider((await ask()).url), await throughProvider((await ask()).url)];
    const swapped = new URL(one.back);
    swapped.searchParams.set("state", new URL(two.back).searchParams.get("state") ?? "");
    const other = new URL(one.back);
    other.searchParams.set("iss", "https://evil.example");
    for (const [url, cookie, words] of [
      [one.back, two.cookie, /belongs to another login/],
      [swapped.href, one.cookie, /belongs to another login/],
      [one.back, "", /did not begin this login/],
      [one.back, `${one.cookie}x`, /did not begin this login/],
      [other.href, one.cookie, /another provider answers/],
    ] as const) {
      const page = await get(url, cookie);
      assert.equal(page.status, 403);
      assert.match(page.text, words);
    }
    const good = await logIn();
    assert.match((await get(good.back, good.cookie)).text, /was used already/);
    // a code that was stolen on its way is bound to the verifier of the browser that asked
    const stolen = await throughProvider((await ask()).url);
    const mine = await throughProvider((await ask()).url);
    const forged = new URL(mine.back);
    forged.searchParams.set("code", new URL(stolen.back).searchParams.get("code") ?? "");
    assert.match((await get(forged.href, mine.cookie)).text, /answered with 400/);
    for (const [ticket, cookie, headers] of [
      ["", good.cookie, {}],
      [good.ticket, "", {}],
      [good.ticket, mine.cookie, {}],
      [good.cookie.split("=")[1] ?? "", good.cookie, {}],
      [good.ticket, good.cookie, { origin: "https://evil.example" }],
    ] as const)
      assert.equal((await decide(ticket, cookie, "approve", headers)).status, 403);
    assert.equal(await stateOf(good.id), "authorization_pending");
    assert.equal((await decide(good.ticket, good.cookie)).status, 200);
    assert.match((await decide(good.ticket, good.cookie)).text, /no login waits for the code/);
    assert.equal((await get(`${base}/oidc/other`)).status, 404);
    const foreign = await get(`${base}/oidc/login?code=x`, "", undefined, { host: "evil.example" });
    assert.equal(foreign.status, 403);
  });

  it("says so when the provider is away, redirects, talks nonsense or lies about itself", async () => {
    const { ask, get, provider } = await world();
    const trouble = async (): Promise<string> => {
      const page = await get((await ask()).url);
      assert.equal(page.status, 403, page.text);
      return page.text;
    };
    provider.instead = (_, response) =>
      Boolean(response.writeHead(302, { location: "https://evil.example" }).end());
    assert.match(await trouble(), /answered with 302/);
    provider.instead = (_, response) => Boolean(response.writeHead(500).end());
    assert.match(await trouble(), /answered with 500/);
    provider.instead = (_, response) => Boolean(response.end("<html>"));
    assert.match(await trouble(), /can&#39;t be used/);
    provider.instead = (_, response) => Boolean(response.end(`"${"x".repeat(600 * 1024)}"`));
    assert.match(await trouble(), /sends too much/);
    provider.instead = (_, response) => Boolean(response.destroy());
    assert.match(await trouble(), /can&#39;t be used/);
    provider.instead = () => false;
    for (const [metadata, words] of [
      [{ issuer: "https://evil.example" }, /calls itself/],
      [{ token_endpoint: "http://evil.example/token" }, /no usable token_endpoint/],
      [{ jwks_uri: "file:///etc/passwd" }, /no usable jwks_uri/],
      [{ authorization_endpoint: "javascript:alert(1)" }, /no usable authorization_endpoint/],
    ] as const) {
      provider.metadata = metadata;
      assert.match(await trouble(), words);
    }
    provider.metadata = {};
    assert.equal((await get((await ask()).url)).status, 302);
  });

  it("calls people by their subject where the config says so, and knows nobody without a provider", async () => {
    const { logIn, provider, call } = await world('claim = "sub"');
    await call("POST", "/people", { name: "u-1" });
    provider.claims = { sub: "u-1" };
    assert.match((await logIn()).page.text, /as <strong>u-1</);
    const bare = await fakeDaemon({});
    const reply = await fetch(`http://127.0.0.1:${bare.port}/oidc/login?code=x`, { redirect: "manual" });
    assert.equal(reply.status, 404);
  });
});
