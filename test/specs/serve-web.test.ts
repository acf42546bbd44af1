/** The page's door of `oj serve` as an attacker meets it: forged headers, other pages, borrowed logins. None gets in. */
import assert from "node:assert/strict";
import http from "node:http";
import { describe, it } from "vitest";
import { call } from "./support/http.ts";
import { tempProject } from "./support/project.ts";
import { personWith, served } from "./support/served.ts";
import { loggedIn } from "./support/web.ts";

interface Reply {
  status: number;
  code: string;
  cookie: string;
  text: string;
}

/** As raw as it gets: a header may be there twice. */
function send(url: string, method: string, to: string, headers: string[], body = ""): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const all = [...headers, "content-length", String(body.length)];
    const request = http.request(
      { host: hostname, port, path: to, method, headers: all, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part));
        response.on("error", reject).on("end", () => {
          const code = /"code":"([^"]+)"/.exec(text)?.[1] ?? "";
          const [set = ""] = response.headers["set-cookie"] ?? [];
          resolve({ status: response.statusCode ?? 0, code, cookie: set, text });
        });
      },
    );
    request.on("error", reject).end(body);
  });
}

describe("the page's door of oj serve", () => {
  it("lets nobody in but a person with a token, and only from its own page", async () => {
    const project = await tempProject();
    const asked = ["decision", "request", "--prompt", "Ship?", "--option", "Yes", "--option", "No"];
    const { id } = await project.json<{ id: string }>(...asked);
    const ana = await personWith(project, "ana", ["approver"], "answer");
    const { token: service } = await project.json<{ token: string }>("mcp", "--token", "bot");
    const owner = await loggedIn(project); // a browser on the machine itself
    const url = await served(project);
    const { host, origin } = new URL(url);
    const json = ["content-type", "application/json"];
    const page = ["host", host, "origin", origin, "sec-fetch-site", "same-origin"];
    const enter = (token: string, headers = page) =>
      send(url, "POST", "/login", [...headers, ...json], JSON.stringify({ token }));

    // who logs in
    for (const [what, token, headers] of [
      ["no token", "", page],
      ["an unknown one", `ojp_${"a".repeat(12)}_${"b".repeat(43)}`, page],
      ["a program's", service, page],
      ["with a line break", `${ana.token}\r\nx: y`, page],
      ["from another page", ana.token, ["host", host, "origin", "https://evil.example"]],
      ["from a page that says nothing", ana.token, ["host", host]],
      ["from a page of another site", ana.token, [...page.slice(0, 4), "sec-fetch-site", "cross-site"]],
      ["under a null origin", ana.token, ["host", host, "origin", "null"]],
    ] as const) {
      const reply = await enter(token, [...headers]);
      assert.ok([401, 403].includes(reply.status), `${what}: ${reply.status} ${reply.text}`);
      assert.equal(reply.cookie, "", what);
    }
    const entered = await enter(ana.token);
    assert.equal(entered.status, 200, entered.text);
    assert.match(entered.cookie, /^oj-person=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    const own = ["cookie", entered.cookie.split(";")[0] ?? ""];
    const key = ["x-oj-web-key", (JSON.parse(entered.text) as { key: string }).key];
    const theirs = ["cookie", owner.cookie, "x-oj-web-key", owner.key];

    // who calls
    const resolve = (headers: string[]) =>
      send(url, "POST", `/api/decisions/${id}/resolve`, [...headers, ...json], '{"choices":[[1]]}');
    for (const [what, headers, status] of [
      ["nothing", page, 401],
      ["the cookie alone", [...page, ...own], 401],
      ["the key alone", [...page, ...key], 401],
      ["the owner's login", [...page, ...theirs], 401],
      ["the owner's under our cookie", [...page, ...own, "x-oj-web-key", owner.key], 401],
      ["a name", [...page, "x-oj-user", "ana"], 401],
      ["our own headers", [...page, "x-oj-web", "https", "x-oj-remote", "0", "x-oj-user", "root"], 401],
      [
        "another page",
        ["host", host, "origin", "https://evil.example", "sec-fetch-site", "cross-site", ...own, ...key],
        403,
      ],
      ["a doubled origin", [...page, "origin", "https://evil.example", ...own, ...key], 403],
      ["no origin", ["host", host, "sec-fetch-site", "same-origin", ...own, ...key], 403],
      [
        "another host's page",
        ["host", "evil.example", "origin", origin, "sec-fetch-site", "same-origin", ...own, ...key],
        403,
      ],
    ] as const) {
      const reply = await resolve([...headers]);
      assert.equal(reply.status, status, `${what}: ${reply.text}`);
    }
    const { state } = await project.json<{ state: string }>("decision", "show", id);
    assert.equal(state, "pending");
    // an agent's token, and what can only be done on the machine itself
    const there = (method: string, to: string, body?: string) =>
      send(url, method, to, [...page, ...own, ...key, ...json], body);
    for (const [method, to, body] of [
      ["GET", "/api/web/logins"],
      ["DELETE", "/api/web/logins"],
      ["POST", "/api/web/links", "{}"],
      ["POST", "/api/daemon/stop", "{}"],
      ["POST", "/api/tokens", '{"person":"ana","scopes":["admin"]}'],
      ["GET", "/api/people"],
    ] as const)
      assert.equal((await there(method, to, body)).status, 403, `${method} ${to}`);
    for (const to of ["/metrics", "/hooks/agent", "/mcp", "/api/../oj.sock", "/%2e%2e/state", "//evil/"])
      assert.notEqual((await there("GET", to)).status, 200, to);

    // rights are read anew with every call, and a login ends with its token, or by itself
    const me = async () => (await there("GET", "/api/me")).status;
    assert.equal(await me(), 200);
    await project.json("role", "revoke", "ana", "approver");
    assert.equal((await there("GET", "/api/decisions")).status, 403);
    await project.json("role", "grant", "ana", "approver");
    assert.equal((await there("POST", `/api/decisions/${id}/resolve`, '{"choices":[[1]]}')).status, 200);
    const { answer } = (await call(project, "GET", `/decisions/${id}`)).json<{
      answer: { by: string; via: string } | null;
      held: { answer: { by: string; via: string } } | null;
    }>();
    assert.deepEqual([answer?.by ?? "ana", answer?.via ?? "web"], ["ana", "web"]);
    assert.equal((await there("POST", "/logout", "{}")).status, 200);
    assert.equal(await me(), 401);
    const again = await enter(ana.token);
    const [cookie, secret] = [
      again.cookie.split(";")[0] ?? "",
      (JSON.parse(again.text) as { key: string }).key,
    ];
    const last = () => send(url, "GET", "/api/me", [...page, "cookie", cookie, "x-oj-web-key", secret]);
    assert.equal((await last()).status, 200);
    await project.json("token", "revoke", ana.id);
    assert.equal((await last()).status, 401);
  });
});
