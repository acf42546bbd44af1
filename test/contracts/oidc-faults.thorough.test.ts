/**
 * Every way in which a provider can fail, in both flows: the code that `oj login` shows, and a browser at `oj serve`. Each
 * ends in time with a page that says what to do, nobody is logged in, and no connection stays open.
 */
import assert from "node:assert/strict";
import type http from "node:http";
import { describe, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { Key } from "../fakes/servers/oidc.ts";
import { coded, makeKey, signed } from "../fakes/servers/oidc.ts";
import type { Sent } from "./oidc-world.ts";
import { world } from "./oidc-world.ts";
import { until } from "./temp.ts";

type Claims = Record<string, unknown>;
type World = Awaited<ReturnType<typeof world>>;
type Fault = (provider: World["provider"]) => void;

const LATER = /Try again in a moment/;
const SETTINGS = /Tell whoever runs this server/;
const JSON_TYPE = { "content-type": "application/json" };

/** Sends a little, again and again, and never ends. */
function drip(response: http.ServerResponse, text: string, every_ms: number): void {
  response.writeHead(200, JSON_TYPE);
  const timer = setInterval(() => response.write(text), every_ms);
  response.on("close", () => clearInterval(timer));
}

/** What an endpoint can do in place of answering. */
const ENDPOINT: Record<string, [(response: http.ServerResponse) => void, RegExp]> = {
  "never answers": [() => {}, /did not answer within 10 s/],
  "sends a head and no body": [
    (it) => void it.writeHead(200, JSON_TYPE).flushHeaders(),
    /did not answer within 10 s/,
  ],
  "answers byte by byte": [(it) => drip(it, " ", 10), /did not answer within 10 s/],
  "sends megabytes": [(it) => drip(it, "x".repeat(1 << 20), 1), /sends too much/],
  "says that it sends megabytes": [
    (it) => void it.writeHead(200, { ...JSON_TYPE, "content-length": 1 << 30 }).end("{"),
    /can't be used|did not answer/,
  ],
  "answers with 500": [(it) => void it.writeHead(500).end("x".repeat(1000)), /answered with 500/],
  redirects: [(it) => void it.writeHead(302, { location: "/x" }).end(), /answered with 302/],
  "sends a page": [
    (it) => void it.writeHead(200, { "content-type": "text/html" }).end('{"keys":[]}'),
    /sends text\/html in place of JSON/,
  ],
  "sends no type": [(it) => void it.writeHead(200).end("{}"), /sends something in place of JSON/],
  "sends half of it": [(it) => void it.writeHead(200, JSON_TYPE).end('{"a":'), /can't be used/],
  "sends a number": [(it) => void it.writeHead(200, JSON_TYPE).end("7"), /sends no object/],
  "hangs up": [(it) => void it.destroy(), /can't be used/],
};

const now = () => Math.floor(Date.now() / 1000);
const change = (more: Claims) => (claims: Claims, key: Key) =>
  signed({ alg: key.alg, kid: key.kid }, { ...claims, ...more }, key);
const stranger = makeKey("RS256");
const sends =
  (token: World["provider"]["token"]): Fault =>
  (provider) => {
    provider.token = token;
  };

/** What it can say that is not true. */
const LIES: Record<string, [Fault, RegExp]> = {
  "calls itself another": [
    (it) => {
      it.metadata = { issuer: "https://evil.example" };
    },
    /calls itself/,
  ],
  "sends its codes elsewhere": [
    (it) => {
      it.metadata = { token_endpoint: "http://evil.example/token" };
    },
    /no usable token_endpoint/,
  ],
  "another issuer": [sends(change({ iss: "https://evil.example" })), /was issued by/],
  "another audience": [sends(change({ aud: "other" })), /is for "other"/],
  "another party": [sends(change({ azp: "other" })), /was given to "other"/],
  expired: [sends(change({ exp: now() - 61 })), /has expired/],
  "another login": [sends(change({ nonce: "x" })), /belongs to another login/],
  "alg none": [sends((claims) => `${coded({ alg: "none" })}.${coded(claims)}.AA`), /only RS256 and ES256/],
  "another key": [
    sends((claims, key) => signed({ alg: "RS256", kid: key.kid }, claims, stranger)),
    /signature of the ID token is not the provider's/,
  ],
  "a key that it doesn't have": [
    sends((claims) => signed({ alg: "RS256", kid: "x" }, claims, stranger)),
    /a key that the provider doesn't have/,
  ],
  "no token": [sends(() => ""), /no ID token that can be read/],
  "nobody's address": [sends(change({ email_verified: false })), /not verified/],
};

const UNINVITED: [Fault, RegExp] = [sends(change({ email: "eve@example.com" })), /was not invited here/];

interface Row {
  name: string;
  fault: Fault;
  words: RegExp;
  todo: RegExp;
}

const ROWS: Row[] = [
  ...["/.well-known/openid-configuration", "/token", "/keys"].flatMap((path) =>
    Object.entries(ENDPOINT).map(([name, [answer, words]]): Row => {
      const fault: Fault = (provider) => {
        provider.instead = (asked, response) => {
          if (asked === path) answer(response);
          return asked === path;
        };
      };
      return { name: `${path} ${name}`, fault, words, todo: LATER };
    }),
  ),
  ...Object.entries(LIES).map(([name, [fault, words]]): Row => ({ name, fault, words, todo: SETTINGS })),
  {
    name: "not invited",
    fault: UNINVITED[0],
    words: UNINVITED[1],
    todo: /Ask whoever runs this server to invite/,
  },
];

/** What the person reads at the end, and whether anybody got in. */
const FLOWS: Record<string, (it: World) => Promise<{ text: string; isIn: boolean }>> = {
  async cli({ ask, get, stateOf }) {
    const { id, url } = await ask();
    const begun = await get(url);
    const page = begun.status === 302 ? await get((await get(begun.location)).location, begun.cookie) : begun;
    assert.equal(page.status, 403, page.text);
    return { text: page.text, isIn: (await stateOf(id)) !== "authorization_pending" };
  },
  async browser({ browser }) {
    const page = browser();
    const begun = await page.begin();
    const { location } = begun.json;
    const shown = location === undefined ? begun : await page.back(location);
    assert.equal(shown.status, 403, shown.text);
    assert.equal((await page.enter()).status, 403);
    return { text: shown.text, isIn: (await page.name()) !== null };
  },
};

/** Ten seconds are a third of one where that is what the row waits for; elsewhere a busy machine may need them. */
function hasten({ ports }: World, isAwaited: boolean): void {
  ports.clock.after = (ms, call) => systemClock.after(isAwaited && ms === 10_000 ? 300 : ms, call);
}

/** Whatever the provider said before is forgotten. */
function later({ ports }: World): void {
  const { monotonic } = ports.clock;
  ports.clock.monotonic = () => monotonic() + 2 * 3_600_000;
}

const plain = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll('\\"', '"');

describe("a provider that fails", () => {
  for (const [flow, walk] of Object.entries(FLOWS))
    it(`lets nobody in, and says what to do: ${flow}`, { timeout: 240_000 }, async () => {
      const it = await world();
      const good = { ...it.provider };
      const wrong: string[] = [];
      for (const { name, fault, words, todo } of ROWS) {
        Object.assign(it.provider, good);
        later(it);
        hasten(it, words.test("did not answer within 10 s"));
        fault(it.provider);
        const { text, isIn } = await walk(it);
        if (!words.test(plain(text)) || !todo.test(plain(text)))
          wrong.push(`${name}: ${plain(text).slice(-400)}`);
        if (isIn) wrong.push(`${name}: got in`);
        if (/<script|style=/.test(text)) wrong.push(`${name}: script or style`);
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(
        it.events().filter((event) => event.type === "person:trusted"),
        [],
      );
      hasten(it, false);
      // what it left hanging is closed; only calls that it answered may wait for the next
      Object.assign(it.provider, good);
      await until(async () => (await it.provider.open()) <= 2);
      later(it);
      assert.equal((await it.browser().logIn()).status, 200); // and all is well again
    });

  it("is asked once by a crowd, holds no more than its share, and leaves room for others", {
    timeout: 60_000,
  }, async () => {
    const it = await world();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = { metadata: 0, token: 0 };
    it.provider.instead = (path, response) => {
      if (path === "/token") asked.token++;
      if (path !== "/.well-known/openid-configuration") return false;
      asked.metadata++;
      void released.then(() => {
        response.writeHead(200, JSON_TYPE).end(
          JSON.stringify({
            issuer: it.provider.url,
            authorization_endpoint: `${it.provider.url}/authorize`,
            token_endpoint: `${it.provider.url}/token`,
            jwks_uri: `${it.provider.url}/keys`,
          }),
        );
      });
      return true;
    };
    const count = (replies: Sent[]) => replies.filter((reply) => reply.status === 200).length;
    const refused: string[] = [];
    const begin = async (address: string) => {
      const reply = await it.browser().send("POST", "/oidc/begin", {}, { "x-oj-address": address });
      if (reply.status !== 200) refused.push(reply.text);
      return reply;
    };
    const greedy = Promise.all(Array.from({ length: 20 }, () => begin("10.2.0.1")));
    await until(() => refused.length === 20 - 8); // the others wait
    const crowd = Promise.all(Array.from({ length: 100 }, (_, at) => begin(`10.1.0.${at}`)));
    await until(() => refused.length === 120 - 64);
    for (const text of refused) assert.match(text, /too many logins are waiting for the provider/);
    release();
    assert.equal(count(await greedy), 8);
    assert.equal(count(await crowd), 56);
    assert.equal(asked.metadata, 1);
    assert.equal((await it.browser().logIn()).status, 200);
    assert.equal(asked.token, 1);
  });
});
