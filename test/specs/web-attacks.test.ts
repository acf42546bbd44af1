/** Whoever should not get in through the web's port: pages of other sites, names that point here, stale links, agents. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { LoggedIn } from "./support/web.ts";
import { doorOf, enter, loggedIn, makeCode } from "./support/web.ts";

interface Stage extends LoggedIn {
  project: Project;
  id: string;
  /** Everything that the logged-in person's browser would send along, and the page's key as well: the guard alone must hold. */
  own: Record<string, string>;
  isPending(): Promise<boolean>;
}

async function stage(): Promise<Stage> {
  const project = await tempProject();
  const words = ["--prompt", "Ship?", "--option", "Yes", "--option", "No"];
  const { id } = await project.json<{ id: string }>("decision", "request", ...words);
  const browser = await loggedIn(project);
  const own = { cookie: browser.cookie, "x-oj-web-key": browser.key };
  const isPending = async () => {
    const { state, held } = JSON.parse((await browser.call("GET", `/decisions/${id}`)).text);
    return state === "pending" && held === null;
  };
  return { ...browser, project, id, own, isPending };
}

const ANSWER = `{"choices":[[1]]}`;
const JSON_TYPE = { "content-type": "application/json" };

/** Every kind of path: the page, its assets, the login, reads, changes, the event stream, what does not exist. */
const pathsOf = (id: string) =>
  [
    ["GET", "/"],
    ["GET", "/assets/x.js"],
    ["POST", "/login"],
    ["GET", "/api/decisions"],
    ["POST", `/api/decisions/${id}/resolve`],
    ["DELETE", "/api/web/logins"],
    ["GET", "/api/events?after=0"],
    ["GET", "/api/agents/agt-x/screen"],
    ["GET", "/nowhere"],
  ] as const;

describe("DNS rebinding", () => {
  it("gets nowhere: every path refuses a host name that is not ours, whatever the browser sends along", async () => {
    const { ask, own, id, port, isPending } = await stage();
    for (const host of [
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
      "127.0.0.1",
      "localhost",
      `127.0.0.1:${port + 1}`,
      `[::1]:${port}`,
      `0.0.0.0:${port}`,
      `LOCALHOST:${port}`,
      `user@127.0.0.1:${port}`,
      "",
    ])
      for (const [method, to] of pathsOf(id)) {
        const headers = { ...own, ...JSON_TYPE, host, origin: `http://${host}` };
        const { status, headers: back } = await ask(method, to, { headers, body: ANSWER });
        assert.ok(status === 403 || status === 400, `${host} ${method} ${to}: ${status}`);
        assert.equal(back["access-control-allow-origin"], undefined);
      }
    assert.ok(await isPending());
  });

  also("gets nowhere on the paths of hooks and of MCP either", async () => {
    const { ask, port } = await stage();
    for (const to of ["/hooks/agent", "/mcp"])
      assert.equal(
        (await ask("POST", to, { headers: { host: `evil.example:${port}` }, body: "{}" })).status,
        403,
      );
  });
});

describe("a request from another page", () => {
  it("is refused on every path because of its origin", async () => {
    const { ask, own, id, port, isPending } = await stage();
    for (const origin of [
      "https://evil.example",
      "null",
      `http://127.0.0.1:${port + 1}`,
      "http://127.0.0.1",
      `http://localhost:${port}`, // not the host that was asked
      `https://127.0.0.1:${port}`,
      "file://",
      "",
    ])
      for (const [method, to] of pathsOf(id)) {
        const headers = { ...own, ...JSON_TYPE, origin };
        const reply = await ask(method, to, { headers, body: ANSWER });
        assert.deepEqual([reply.status, reply.code], [403, "request.forbidden"], `${origin} ${method} ${to}`);
        assert.deepEqual(
          Object.keys(reply.headers).filter((it) => it.startsWith("access-control")),
          [],
        );
      }
    assert.ok(await isPending());
  });

  it("is refused on every path because of its fetch metadata, even without an origin", async () => {
    const { ask, own, id, isPending } = await stage();
    for (const site of ["cross-site", "same-site", "Same-Origin", "other"])
      for (const [method, to] of pathsOf(id)) {
        const reply = await ask(method, to, {
          headers: { ...own, ...JSON_TYPE, "sec-fetch-site": site },
          body: ANSWER,
        });
        assert.deepEqual([reply.status, reply.code], [403, "request.forbidden"], `${site} ${method} ${to}`);
      }
    assert.ok(await isPending());
  });

  also("may lead a person to the bare page with a link, and to nothing else", async () => {
    const { ask, own, id, isPending } = await stage();
    const link = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    for (const site of ["cross-site", "same-site"]) {
      const reply = await ask("GET", "/", { headers: { ...link, "sec-fetch-site": site } });
      assert.equal(reply.status, 200, site);
      assert.equal(reply.text, (await ask("GET", "/")).text, "as everybody gets it");
      assert.equal(reply.headers["set-cookie"], undefined);
      assert.match(String(reply.headers["content-security-policy"]), /frame-ancestors 'none'/);
      assert.equal(reply.headers["x-frame-options"], "DENY");
    }
    for (const [method, to] of [...pathsOf(id), ["HEAD", "/"], ["POST", "/"], ["GET", "/?x=1"]] as const) {
      if (method === "GET" && to === "/") continue;
      const reply = await ask(method, to, { headers: { ...own, ...JSON_TYPE, ...link }, body: ANSWER });
      assert.equal(reply.status, 403, `${method} ${to}`);
    }
    for (const other of [
      { "sec-fetch-dest": "iframe" },
      { "sec-fetch-dest": "frame" },
      { "sec-fetch-dest": "embed" },
      { "sec-fetch-dest": "empty" },
      { "sec-fetch-mode": "no-cors" },
      { "sec-fetch-mode": "cors" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { host: "evil.example" },
      { "x-oj-agent-token": "x" },
    ] as Record<string, string>[]) {
      const reply = await ask("GET", "/", { headers: { ...own, ...link, ...other } });
      assert.deepEqual([reply.status, reply.code], [403, "request.forbidden"], JSON.stringify(other));
    }
    assert.ok(await isPending());
  });

  also("may not send a preflight", async () => {
    const { ask, id } = await stage();
    const headers = {
      origin: "https://evil.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-oj-web-key",
    };
    const reply = await ask("OPTIONS", `/api/decisions/${id}/resolve`, { headers });
    assert.equal(reply.status, 403);
    assert.equal(reply.headers["access-control-allow-origin"], undefined);
  });
});

describe("a changing request", () => {
  it("without an origin is refused", async () => {
    const { ask, own, id, isPending } = await stage();
    const headers = { ...own, ...JSON_TYPE };
    const reply = await ask("POST", `/api/decisions/${id}/resolve`, { headers, body: ANSWER });
    assert.deepEqual([reply.status, reply.code], [403, "request.forbidden"]);
    assert.equal((await ask("DELETE", "/api/web/logins", { headers: own })).status, 403);
    assert.ok(await isPending());
  });

  also("that a plain form could send is refused, even from our own page", async () => {
    const { ask, own, id, origin, isPending } = await stage();
    for (const type of [
      "text/plain",
      "text/plain; application/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "",
    ]) {
      const headers = { ...own, origin, "content-type": type };
      const reply = await ask("POST", `/api/decisions/${id}/resolve`, { headers, body: ANSWER });
      assert.deepEqual([reply.status, reply.code], [415, "request.not-json"], type);
      const login = await ask("POST", "/login", { headers, body: ANSWER });
      assert.equal(login.status, 415, type);
    }
    assert.ok(await isPending());
  });

  also("is never accepted as a GET, nor through a method override", async () => {
    const { ask, own, id, origin, isPending } = await stage();
    const headers = { ...own, origin, ...JSON_TYPE };
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "OPTIONS", "TRACE"]) {
      const { status } = await ask(method, `/api/decisions/${id}/resolve`, { headers });
      assert.ok(status === 403 || status === 404, `${method}: ${status}`);
    }
    const pretending = { ...headers, "x-http-method-override": "POST" };
    assert.equal((await ask("GET", `/api/decisions/${id}/resolve`, { headers: pretending })).status, 404);
    assert.ok(await isPending());
  });
});

describe("a login", () => {
  it("is a cookie that no script can read and no other site can send, and a key that no other port gets", async () => {
    const project = await tempProject();
    const code = await makeCode(project);
    const door = doorOf(project);
    const reply = await enter(door, code);
    const [cookie = "", ...more] = reply.headers["set-cookie"] ?? [];
    assert.deepEqual(more, []);
    const [pair = "", ...flags] = cookie.split("; ");
    assert.match(pair, new RegExp(`^oj-${door.port}=[\\w-]{43}$`));
    assert.deepEqual(flags, ["Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Strict"]);
    assert.match(JSON.parse(reply.text).key, /^[\w-]{43}$/);
    assert.equal(reply.headers["cache-control"], "no-store");
  });

  it("needs both: a cookie that leaked to another port of this machine is worthless", async () => {
    const a = await stage();
    const b = await loggedIn(a.project);
    for (const headers of [
      {},
      { cookie: a.cookie },
      { "x-oj-web-key": a.key },
      { cookie: a.cookie, "x-oj-web-key": b.key },
      { cookie: `${a.cookie}x`, "x-oj-web-key": a.key },
      { cookie: a.cookie.replace(/^oj-\d+/, "oj"), "x-oj-web-key": a.key },
    ] as Record<string, string>[])
      for (const to of ["/api/decisions", "/api/events?after=0", "/api/nowhere"])
        assert.deepEqual(
          [(await a.ask("GET", to, { headers })).code],
          ["login.required"],
          JSON.stringify(headers),
        );
  });

  also("is given once per code, and never without a valid code", async () => {
    const project = await tempProject();
    const code = await makeCode(project);
    const door = doorOf(project);
    for (const wrong of ["", "x", code.slice(0, -1), `${code}x`, code.toUpperCase(), "[object Object]"])
      assert.equal((await enter(door, wrong)).code, "login.refused", wrong);
    assert.equal((await enter(door, code)).status, 200);
    const again = await enter(door, code);
    assert.deepEqual([again.code, again.headers["set-cookie"]], ["login.refused", undefined]);
    for (const body of ["", "[]", "null", `{"code":1}`, "{", "x".repeat(5000)]) {
      const headers = { origin: door.origin, ...JSON_TYPE };
      assert.ok([413, 422].includes((await door.ask("POST", "/login", { headers, body })).status), body);
    }
  });

  it("is given once, even if many ask with the same code at the same time", async () => {
    const project = await tempProject();
    const code = await makeCode(project);
    const door = doorOf(project);
    const replies = await Promise.all(Array.from({ length: 20 }, () => enter(door, code)));
    assert.equal(replies.filter((it) => it.status === 200).length, 1);
  });

  also("is not given to an agent", async () => {
    const project = await tempProject();
    const code = await makeCode(project);
    const door = doorOf(project);
    const token = "x".repeat(43);
    assert.equal((await enter(door, token)).code, "login.refused");
    assert.equal((await enter(door, code, { "x-oj-agent-token": token })).code, "request.forbidden");
    assert.equal((await enter(door, code)).status, 200);
  });

  also("never appears in the daemon's log, and neither does its code", async () => {
    const project = await tempProject();
    const settings = path.join(project.home, ".config/oj");
    fs.mkdirSync(settings, { recursive: true });
    fs.writeFileSync(path.join(settings, "config.toml"), `[log]\nlevel = "debug"\n`);
    const code = await makeCode(project);
    const door = doorOf(project);
    const reply = await enter(door, code);
    await enter(door, code);
    await door.ask("GET", `/?login=${code}`, { headers: { origin: "null" } });
    const { key } = JSON.parse(reply.text) as { key: string };
    const log = await project.until(() => {
      const text = fs.readFileSync(path.join(project.stateDir, "daemon.log"), "utf8"); // written after the answer
      return /a browser has logged in/.test(text) && /a web request was refused/.test(text) && text;
    });
    assert.ok(!log.includes(code) && !log.includes(key));
  });
});
