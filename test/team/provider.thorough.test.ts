/** Logins that an OpenID provider vouched for, in browsers at two machines: taken back at one, they end at both. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { oidcServer } from "../fakes/servers/oidc.ts";
import { opened } from "../specs/support/leaver.ts";
import type { Project } from "../specs/support/project.ts";
import { send } from "../specs/support/raw-http.ts";
import { cookieIn, JSON_BODY, offering } from "./provider.ts";
import { kill, machine, pidOf, sharedServer, timed, up, whyNot, within } from "./support.ts";

const server = sharedServer();
/** What the browser sends from then on. */
async function loggedIn(url: string): Promise<string[]> {
  const { host, origin } = new URL(url);
  const page = ["host", host, "origin", origin, "sec-fetch-site", "same-origin"];
  const begun = await send({ url }, "POST", "/oidc/begin", [...page, ...JSON_BODY], "{}");
  assert.equal(begun.status, 200, begun.text);
  const { location } = JSON.parse(begun.text) as { location: string };
  const there = await fetch(location, { redirect: "manual" });
  const { pathname, search } = new URL(there.headers.get("location") ?? "");
  const cookie = ["cookie", cookieIn(begun.cookie)];
  const back = await send({ url }, "GET", pathname + search, ["host", host, ...cookie]);
  assert.equal(back.status, 303, back.text);
  const welcome = [...page, ...JSON_BODY, "cookie", cookieIn(back.cookie)];
  const entered = await send({ url }, "POST", "/login", welcome, '{"provider":true}');
  assert.equal(entered.status, 200, entered.text);
  const { key } = JSON.parse(entered.text) as { key: string };
  const cookies = entered.cookies.map(cookieIn).find((it) => it.startsWith("oj-person=")) ?? "";
  return [...page, "cookie", cookies, "x-oj-web-key", key];
}

/** How it ends, said at the first machine. */
const ENDS = {
  "its token is revoked": async (project: Project) => {
    const all = await project.json<{ id: string }[]>("token", "list");
    for (const { id } of all) await project.json("token", "revoke", id);
  },
  "all tokens of the person are revoked": (project: Project) =>
    project.json("token", "revoke", "--for", "ana"),
  "the person is removed": (project: Project) => project.json("person", "remove", "ana"),
};

describe.skipIf(whyNot !== null)("a browser that a provider has logged in", () => {
  for (const [what, end] of Object.entries(ENDS))
    it(`is refused at both machines, with its streams, when ${what}`, async () => {
      const provider = await oidcServer();
      const url = await server().database();
      const [a, b] = [await machine(url, "a"), await machine(url, "b")];
      await a.json("invite", "ana");
      await a.json("role", "grant", "ana", "viewer");
      await b.until(
        async () => (await b.json<{ roles: object[] }[]>("person"))[0]?.roles.length === 1,
        "the person on the other machine",
      );
      const urls = [await offering(a, provider.url), await offering(b, provider.url)];
      const logins = await Promise.all(urls.map(async (it) => ({ url: it, headers: await loggedIn(it) })));
      const statuses = () =>
        Promise.all(
          logins.map(async (it) => (await send({ url: it.url }, "GET", "/api/decisions", it.headers)).status),
        );
      assert.deepEqual(await statuses(), [200, 200]);
      const streams = await Promise.all(logins.map((it) => opened(it.url, it.headers)));
      await a.until(
        async () => (await a.json<object[]>("token", "list")).length === 2,
        "both logins at the first machine",
      );
      await end(a);
      const took: number[] = [];
      const last = await timed(took, () => Promise.all(streams.map((it) => it.ended)));
      within(1000, took, "streams of provider logins end");
      assert.deepEqual(last, ["login.required", "login.required"]);
      assert.deepEqual(await statuses(), [401, 401]);
      await kill(b, await pidOf(b));
      await up(b);
      assert.deepEqual(await statuses(), [401, 401]);
    });
});
