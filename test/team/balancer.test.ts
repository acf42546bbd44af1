/**
 * One address that leads to two machines, as behind a load balancer that keeps no browser at one of them: each step of a
 * login with a provider that comes to the wrong machine is refused, and says what the load balancer has to do.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { oidcServer } from "../fakes/servers/oidc.ts";
import type { Reply } from "../specs/support/raw-http.ts";
import { send } from "../specs/support/raw-http.ts";
import { cookieIn, JSON_BODY, offering } from "./provider.ts";
import { machine, sharedServer, whyNot } from "./support.ts";

const server = sharedServer();

type Step = "begin" | "callback" | "login" | "api";

/** Walks through a login until something is refused; `at` says which machine each step comes to. */
async function walk(address: string, at: (step: Step) => string): Promise<{ step: Step; reply: Reply }> {
  const { host, origin } = new URL(address);
  const page = ["host", host, "origin", origin, "sec-fetch-site", "same-origin"];
  const begun = await send({ url: at("begin") }, "POST", "/oidc/begin", [...page, ...JSON_BODY], "{}");
  if (begun.status !== 200) return { step: "begin", reply: begun };
  const { location } = JSON.parse(begun.text) as { location: string };
  const there = await fetch(location, { redirect: "manual" });
  const { pathname, search } = new URL(there.headers.get("location") ?? "");
  const cookie = ["cookie", cookieIn(begun.cookie)];
  const back = await send({ url: at("callback") }, "GET", pathname + search, ["host", host, ...cookie]);
  if (back.status !== 303) return { step: "callback", reply: back };
  const welcome = [...page, ...JSON_BODY, "cookie", cookieIn(back.cookie)];
  const entered = await send({ url: at("login") }, "POST", "/login", welcome, '{"provider":true}');
  if (entered.status !== 200) return { step: "login", reply: entered };
  const { key } = JSON.parse(entered.text) as { key: string };
  const person = entered.cookies.map(cookieIn).find((it) => it.startsWith("oj-person=")) ?? "";
  const kept = [...page, "cookie", person, "x-oj-web-key", key];
  return { step: "api", reply: await send({ url: at("api") }, "GET", "/api/me", kept) };
}

const BALANCED =
  /load balancer has to send each browser to the same one every time \(sticky sessions for \/oidc/;

describe.skipIf(whyNot !== null)("a login with a provider, behind a load balancer", () => {
  it("is refused at the wrong machine, with what the load balancer has to do; and alone, without", async () => {
    const provider = await oidcServer();
    const url = await server().database();
    const a = await machine(url, "a");
    await a.json("invite", "ana");
    await a.json("role", "grant", "ana", "viewer");
    const first = await offering(a, provider.url);
    const stranger = await send({ url: first }, "GET", "/oidc/callback?state=x&code=y", []);
    assert.match(stranger.text, /did not begin this login.*Log in again from the start\.</s);

    const b = await machine(url, "b");
    const second = await offering(b, provider.url, first); // both are reached at the address of the first
    await b.until(
      async () => (await b.json<{ roles: object[] }[]>("person"))[0]?.roles.length === 1,
      "the person on the other machine",
    );
    assert.equal((await walk(first, () => second)).reply.status, 200, "at one machine");
    const wrong: Step[] = ["callback", "login", "api"];
    for (const other of wrong) {
      const { step, reply } = await walk(first, (it) => (it === other ? second : first));
      assert.equal(step, other, reply.text);
      assert.ok([401, 403].includes(reply.status), reply.text);
      assert.match(reply.text, BALANCED, `${other}: ${reply.text}`);
    }
    const nobody = await send({ url: first }, "GET", "/api/me", ["host", new URL(first).host]);
    assert.doesNotMatch(nobody.text, /balancer/, "who never logged in");
  });
});
