/** Who may do what with a token: every route there is, for every role, in one project and everywhere, and each scope. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, it } from "vitest";
import { HEADERS } from "../../src/api/api.ts";
import type { Role, Scope } from "../../src/core/roles/people.ts";
import { ROLES, SCOPES } from "../../src/core/roles/people.ts";
import { fakeDaemon } from "../fakes/daemon.ts";
import { until } from "./temp.ts";

/** What a route takes. `here`: no token will do. */
type Needs = "read" | "ask" | "answer" | "admin" | "any" | "here";

/** Enough in one project: the handler looks at which. */
const SCOPED: Record<string, Needs> = {
  "GET /decisions": "read",
  "GET /decisions/{id}": "read",
  "GET /decisions/{id}/events": "read",
  "GET /events": "read",
  "GET /failed": "read",
  "GET /health": "read",
  "GET /status": "read",
  "POST /decisions": "ask",
  "POST /decisions/resolve": "answer",
  "POST /decisions/{id}/audit": "read",
  "POST /decisions/{id}/await": "read",
  "POST /decisions/{id}/cancel": "ask",
  "POST /decisions/{id}/challenge": "answer",
  "POST /decisions/{id}/resolve": "answer",
  "POST /decisions/{id}/seen": "read",
  "POST /decisions/{id}/undo": "answer",
};

const EVERYWHERE: Record<string, Needs> = {
  "GET /me": "any",
  "POST /device/codes": "any",
  "POST /device/polls": "any",
  "POST /device/look": "any",
  "POST /device/approve": "any",
  "POST /device/deny": "any",
  "GET /passkeys": "admin",
  "POST /passkeys": "any",
  "POST /passkeys/begin": "any",
  "POST /passkeys/links": "here",
  "POST /passkeys/remove": "admin",
  "DELETE /jobs/{id}": "admin",
  "DELETE /mcp/tokens/{name}": "here",
  "DELETE /push/subscriptions/{id}": "here",
  "DELETE /web/logins": "here",
  "DELETE /web/logins/{id}": "here",
  "GET /agents": "read",
  "GET /agents/{id}": "read",
  "GET /agents/{id}/attach": "here",
  "GET /agents/{id}/logs": "read",
  "GET /agents/{id}/screen": "read",
  "GET /agents/{id}/screens": "read",
  "GET /beads": "read",
  "GET /channels": "read",
  "GET /commands": "read",
  "GET /crews": "read",
  "GET /dashboard": "read",
  "GET /decisions/own": "read",
  "GET /decisions/{id}/chain": "read",
  "GET /decisions/{id}/policies": "here",
  "GET /decisions/{id}/route": "read",
  "POST /decisions/{id}/remember": "here",
  "GET /decisions/{id}/rule": "here",
  "GET /fleet": "read",
  "GET /history/names": "read",
  "GET /inject": "read",
  "GET /jobs": "read",
  "GET /jobs/{id}": "read",
  "GET /jobs/{id}/events": "read",
  "GET /jobs/{id}/logs": "read",
  "GET /machines": "read",
  "GET /mcp/tokens": "here",
  "GET /metrics": "read",
  "GET /people": "admin",
  "GET /policies": "here",
  "GET /policies/log": "read",
  "GET /policies/suggestions": "here",
  "GET /push/subscriptions": "here",
  "GET /stats": "read",
  "GET /suggestions": "here",
  "GET /templates": "read",
  "GET /tokens": "admin",
  "GET /web/logins": "here",
  "GET /who": "read",
  "POST /agents/{id}/kill": "admin",
  "POST /agents/{id}/send": "admin",
  "POST /agents/{id}/signal": "admin",
  "POST /audit/exports": "here",
  "POST /beads/sync": "here",
  "POST /channels/{name}/test": "admin",
  "POST /daemon/stop": "here",
  "POST /decisions/auto-close": "admin",
  "POST /decisions/{id}/erase": "admin",
  "POST /decisions/{id}/claim": "answer",
  "POST /decisions/{id}/release": "answer",
  "POST /decisions/{id}/snooze": "answer",
  "POST /hooks/session": "here",
  "POST /inject": "here",
  "POST /inject/drain": "here",
  "POST /jobs/wait": "admin",
  "POST /jobs/{id}/cancel": "admin",
  "POST /jobs/{id}/resume": "admin",
  "POST /jobs/{id}/seen": "admin",
  "POST /jobs/{id}/suspend": "admin",
  "POST /machines/{name}/forget": "here",
  "POST /mail": "here",
  "POST /mcp/tokens": "here",
  "POST /people": "admin",
  "POST /people/remove": "admin",
  "POST /policies/accept": "here",
  "POST /policies/switch": "here",
  "POST /policies/try": "here",
  "POST /push/subscriptions": "here",
  "POST /roles/grant": "admin",
  "POST /roles/revoke": "admin",
  "POST /run": "here",
  "POST /runbooks/check": "here",
  "POST /suggestions/{key}/accept": "here",
  "POST /suggestions/{key}/decline": "here",
  "POST /tokens": "admin",
  "POST /tokens/revoke": "admin",
  "POST /tokens/rotate": "admin",
  "POST /web/links": "here",
};

/** What each role gives, and each scope leaves of it. */
const GIVES: Record<Role, Needs[]> = {
  viewer: ["read"],
  asker: ["read", "ask"],
  approver: ["read", "ask", "answer"],
  owner: ["read", "ask", "answer"],
  auditor: ["read"],
  admin: ["read", "ask", "answer", "admin"],
};
const LEAVES: Record<Scope, Needs[]> = {
  read: ["read"],
  ask: ["read", "ask"],
  answer: ["read", "answer"],
  admin: ["read", "ask", "answer", "admin"],
};

/** Streams never end by themselves, and a stop would end the world. */
const UNSAFE = new Set(["GET /events", "GET /agents/{id}/screens"]);

async function world() {
  const daemon = await fakeDaemon({});
  const post = async <T>(path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await daemon.call("POST", path, body, headers);
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
    return reply.json as T;
  };

  async function person(
    name: string,
    roles: { role: Role; project: string | null }[],
    scopes: readonly Scope[],
  ) {
    await post("/people", { name });
    for (const it of roles) await post("/roles/grant", { name, ...it });
    return post<{ id: string; token: string }>("/tokens", { person: name, scopes, lasts_ms: 60_000 });
  }

  /** As `oj serve` passes it on, with whatever else a forger would say. */
  const asRemote = (token: string | null, headers: Record<string, string> = {}) => ({
    [HEADERS.remote]: "1",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  });

  const ask = (project: string) =>
    post<{ id: string }>("/decisions", request(project, daemon.dir)).then((it) => it.id);

  return { ...daemon, post, person, asRemote, ask };
}

const request = (project: string, cwd: string) => ({
  project,
  cwd,
  prompt: "Deploy?",
  options: [{ label: "Yes" }, { label: "No" }],
  as: null,
});

const filled = (route: string) => route.replace("{id}", "dec-nothing").replace("{name}", "nothing");

describe("a token", () => {
  it("gets through to exactly the routes that its roles and scopes allow", async () => {
    const { call, person, asRemote } = await world();
    const document = (await call("GET", "/openapi.json")).json as { paths: Record<string, object> };
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(routes.toSorted(), Object.keys({ ...SCOPED, ...EVERYWHERE }).toSorted());

    const cases = [
      ...ROLES.flatMap((role) => [{ role, project: null, scopes: ["admin"] as Scope[] }]),
      ...(["viewer", "asker", "approver", "owner"] as const).map((role) => ({
        role,
        project: "shop",
        scopes: ["admin"] as Scope[],
      })),
      ...SCOPES.map((scope) => ({ role: "admin" as const, project: null, scopes: [scope] })),
      { role: "approver" as const, project: "shop", scopes: ["ask"] as Scope[] },
      { role: null, project: null, scopes: ["admin"] as Scope[] },
    ];
    const wrong: string[] = [];
    for (const [n, { role, project, scopes }] of cases.entries()) {
      const { token } = await person(`p${n}`, role === null ? [] : [{ role, project }], scopes);
      for (const route of routes) {
        const needs = SCOPED[route] ?? EVERYWHERE[route] ?? "here";
        const isGiven =
          role !== null && GIVES[role].includes(needs) && scopes.some((it) => LEAVES[it].includes(needs));
        const isAllowed =
          needs === "any" || (needs !== "here" && isGiven && (project === null || route in SCOPED));
        if (isAllowed && UNSAFE.has(route)) continue;
        const [method = "", path = ""] = filled(route).split(" ");
        const { status } = await call(method, path, method === "POST" ? {} : undefined, asRemote(token));
        const isThrough = status !== 401 && status !== 403;
        // a decision that isn't there is as forbidden as one of another project
        const hides = route.includes("/decisions/{id}") && project !== null && status === 403;
        if (isThrough !== isAllowed && !(isAllowed && hides))
          wrong.push(`${role} in ${project} with ${scopes}: ${route} ${status}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it("is needed at that door, whatever else the call says about itself", async () => {
    const { call, person, asRemote, ask } = await world();
    const id = await ask("shop");
    const { token, id: tokenId } = await person("ana", [{ role: "admin", project: null }], ["admin"]);
    const forged = {
      [HEADERS.user]: "root",
      [HEADERS.via]: "web",
      [HEADERS.session]: "s",
      "x-forwarded-user": "root",
    };
    const tokens = [
      null,
      "",
      "nothing",
      token.slice(0, -1),
      `${token}a`,
      token.replace(/.$/, (it) => (it === "A" ? "B" : "A")),
      token.replace(tokenId, "a".repeat(12)),
      `ojp_${tokenId}_`,
    ];
    for (const it of tokens)
      for (const path of ["/decisions", `/decisions/${id}`, "/me", "/health", "/openapi.json"]) {
        const { status } = await call("GET", path, undefined, asRemote(it, forged));
        assert.equal(status, 401, `${it} ${path}`);
      }
    const me = await call("GET", "/me", undefined, asRemote(token, forged));
    assert.equal((me.json as { name: string }).name, "ana");
    const answered = await call(
      "POST",
      `/decisions/${id}/resolve`,
      { choices: [[1]] },
      asRemote(token, forged),
    );
    const { decision } = answered.json as { decision: { answer: { by: string; via: string } } };
    assert.deepEqual([decision.answer.by, decision.answer.via], ["ana", "api"]);
  });

  it("counts no more once it was revoked, has expired, or its roles are gone", async () => {
    const { call, person, asRemote, post, ask, ports } = await world();
    await ask("shop");
    const status = async (token: string) =>
      (await call("GET", "/decisions", undefined, asRemote(token))).status;
    const [first, second] = [
      await person("ana", [{ role: "viewer", project: null }], ["read"]),
      await person("ana", [], ["read"]),
    ];
    assert.deepEqual([await status(first.token), await status(second.token)], [200, 200]);
    await post("/tokens/revoke", { token: first.id });
    assert.deepEqual([await status(first.token), await status(second.token)], [401, 200]);
    await post("/roles/revoke", { name: "ana", role: "viewer", project: null });
    assert.equal(await status(second.token), 403);
    await post("/roles/grant", { name: "ana", role: "viewer", project: null });
    const now = ports.clock.now();
    ports.clock.now = () => now + 61_000;
    assert.equal(await status(second.token), 401);
  });

  it("is rotated with an overlap or at once, and says when each was last used", async () => {
    const { call, person, asRemote, post, events, ports } = await world();
    const status = async (token: string) =>
      (await call("GET", "/decisions", undefined, asRemote(token))).status;
    const first = await person("ana", [{ role: "viewer", project: null }], ["read"]);
    const rotate = (token: string, overlap_ms: number) =>
      post<{ id: string; token: string; replaces: { id: string; counts_until_ms: number | null } }>(
        "/tokens/rotate",
        { token, overlap_ms, lasts_ms: null },
      );
    const now = ports.clock.now() + 1000;
    ports.clock.now = () => now;
    const second = await rotate(first.id, 30_000);
    assert.deepEqual([second.replaces.id, second.replaces.counts_until_ms], [first.id, now + 30_000]);
    assert.deepEqual([await status(first.token), await status(second.token)], [200, 200]);
    ports.clock.now = () => now + 30_001;
    assert.deepEqual([await status(first.token), await status(second.token)], [401, 200]);
    const third = await rotate(second.id, 0);
    assert.equal(third.replaces.counts_until_ms, null);
    assert.deepEqual([await status(second.token), await status(third.token)], [401, 200]);

    const used = () => events().flatMap((it) => (it.type === "person:used" ? [it.token] : []));
    await until(() => used().length === 3);
    await Promise.all(Array.from({ length: 8 }, () => status(third.token)));
    assert.deepEqual(used(), [first.id, second.id, third.id]);
    const [left] = (await call("GET", "/tokens")).json as { id: string; used_at_ms: number }[];
    assert.deepEqual([left?.id, left?.used_at_ms], [third.id, now + 30_001]);
    // no secret of any of them is recorded
    const log = JSON.stringify(events());
    for (const it of [first, second, third])
      assert.ok(!log.includes(it.token.split("_").slice(2).join("_")), it.id);
  });

  it("shows and answers only what is in its projects", async () => {
    const { call, person, asRemote, ask, dir } = await world();
    const [shop, bank] = [await ask("shop"), await ask("bank")];
    const { token } = await person("eve", [{ role: "approver", project: "shop" }], ["ask", "answer"]);
    const get = (path: string) => call("GET", path, undefined, asRemote(token));
    const post = (path: string, body: object) => call("POST", path, body, asRemote(token));

    const ids = (reply: { json: unknown }) => (reply.json as { id: string }[]).map((it) => it.id);
    assert.deepEqual(ids(await get("/decisions")), [shop]);
    assert.deepEqual(ids(await get("/decisions?all=true&brief=true")), [shop]);
    const projects = (await get("/status")).json as { project: string }[];
    assert.deepEqual(
      projects.map((it) => it.project),
      ["shop"],
    );
    for (const path of [
      `/decisions/${bank}`,
      `/decisions/${bank}/events`,
      "/decisions?project=bank",
      "/status?project=bank",
    ])
      assert.equal((await get(path)).status, 403, path);
    for (const [path, body] of [
      [`/decisions/${bank}/resolve`, { choices: [[1]] }],
      [`/decisions/${bank}/undo`, {}],
      [`/decisions/${bank}/seen`, {}],
      [`/decisions/${bank}/audit`, {}],
      [`/decisions/${bank}/await`, {}],
      [`/decisions/${bank}/cancel`, { reason: null }],
      [`/decisions/${shop}/cancel`, { reason: null }], // asked by somebody else
      ["/decisions", request("bank", dir)],
      ["/decisions", { ...request("shop", dir), as: "somebody" }],
    ] as const)
      assert.equal((await post(path, body)).status, 403, path);

    const both = (await post("/decisions/resolve", { ids: [shop, bank], choices: [[1]] })).json as {
      error?: { code: string };
    }[];
    assert.deepEqual(
      both.map((it) => it.error?.code ?? "answered"),
      ["answered", "request.forbidden"],
    );
    const own = (await post("/decisions", request("shop", dir))).json as { id: string; requested_by: string };
    assert.equal(own.requested_by, "eve");
    assert.equal((await post(`/decisions/${own.id}/cancel`, { reason: null })).status, 200);
  });

  it("means its own decision by the beginning of an id, and hears of no other that begins alike", async () => {
    const { call, person, asRemote, ask } = await world();
    const banks = await Promise.all(Array.from({ length: 40 }, () => ask("bank")));
    const firstOf = (id: string) => id.slice(0, "dec-".length + 1);
    let shop = "";
    while (!banks.some((it) => firstOf(it) === firstOf(shop))) shop = await ask("shop");
    const others = (it: string) => banks.some((id) => it.includes(id));
    const { token } = await person("eve", [{ role: "approver", project: "shop" }], ["answer"]);
    const at = shop.slice(0, shop.length - 1);
    for (const begin of [firstOf(shop), at]) {
      const audit = await call("POST", `/decisions/${begin}/audit`, {}, asRemote(token));
      const undo = await call("POST", `/decisions/${begin}/undo`, {}, asRemote(token));
      const events = await call("GET", `/events?decision=${begin}&after=999999`, undefined, asRemote(token));
      const answer = { choices: [[7]] };
      const resolve = await call("POST", `/decisions/${begin}/resolve`, answer, asRemote(token));
      const all = [audit, undo, events, resolve];
      // not held, no such event, no such option: each of its own decision
      assert.deepEqual(
        all.map((it) => it.status),
        [200, 409, 410, 422],
        JSON.stringify(all.map((it) => it.text)),
      );
      assert.ok(!all.some((it) => others(it.text)));
    }
    const given = await call(
      "POST",
      `/decisions/${firstOf(shop)}/resolve`,
      { choices: [[1]] },
      asRemote(token),
    );
    assert.equal((given.json as { decision: { id: string } }).decision.id, shop);
    const job = await call("GET", "/events?job=j", undefined, asRemote(token));
    assert.equal(job.status, 403);
  });

  it("asks for its person alone, never as a session of this machine", async () => {
    const { call, person, post, asRemote, dir } = await world();
    const hook = (name: string) => ({ hook_event_name: name, session_id: "owners", cwd: dir, prompt: "Hi" });
    const told = await call("POST", "/hooks/session", hook("UserPromptSubmit"));
    assert.equal(told.status, 200, told.text);
    const asked = { ...request("shop", dir), session: "owners" };
    const theirs = await post<{ id: string; session: string | null }>("/decisions", asked);
    assert.equal(theirs.session, "owners");
    const { token } = await person("eve", [{ role: "asker", project: "shop" }], ["ask"]);
    for (const session of ["owners", "not seen yet"]) {
      const reply = await post<Record<string, unknown>>("/decisions", { ...asked, session }, asRemote(token));
      const { requested_by, session: its = null, claimed_session = null, recipient, supersedes } = reply;
      assert.deepEqual(
        [requested_by, its, claimed_session, recipient, supersedes],
        ["eve", null, null, null, null],
      );
    }
    const now = (await call("GET", `/decisions/${theirs.id}`)).json as { state: string };
    assert.equal(now.state, "pending");
  });

  it("blocks work in its own projects alone, and learns nothing of other work", async () => {
    const { call, person, post, asRemote, dir } = await world();
    fs.mkdirSync(`${dir}/.oj/runbooks`, { recursive: true });
    fs.writeFileSync(
      `${dir}/.oj/runbooks/r.hcl`,
      `command "j" { run = { job = "j" } }
       job "j" { step "ask" { decision { prompt = "Go?"\n option "go" {} } } step "after" { run = "true" } }`,
    );
    const run = { cwd: dir, project: "bank", command: "j", argv: [], named: {}, env: {} };
    const { job_id } = await post<{ job_id: string }>("/run", run);
    const blocking = { ...request("shop", dir), blocks: [`${job_id}/after`] };
    const { token: eve } = await person("eve", [{ role: "asker", project: "shop" }], ["ask"]);
    const refused = await call("POST", "/decisions", blocking, asRemote(eve));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /is not a job/);
    const { token: ana } = await person("ana", [{ role: "asker", project: null }], ["ask"]);
    assert.equal((await call("POST", "/decisions", blocking, asRemote(ana))).status, 200);
  });

  it("withdraws nothing of somebody of the same name who left", async () => {
    const { post, person, asRemote, call, dir } = await world();
    const asker = () => person("eve", [{ role: "asker", project: "shop" }], ["ask"]);
    const { token: before } = await asker();
    const { id } = await post<{ id: string }>("/decisions", request("shop", dir), asRemote(before));
    await post("/people/remove", { name: "eve" });
    const { token } = await asker();
    const cancel = (of: string) => call("POST", `/decisions/${of}/cancel`, { reason: null }, asRemote(token));
    assert.equal((await cancel(id)).status, 403);
    await new Promise((resolve) => setTimeout(resolve, 2)); // not in the millisecond in which the other left
    const own = await post<{ id: string }>("/decisions", request("shop", dir), asRemote(token));
    assert.equal((await cancel(own.id)).status, 200);
  });

  it("is told that the project's templates are out of its reach, and not that there are none", async () => {
    const { call, person, asRemote, dir } = await world();
    fs.mkdirSync(`${dir}/.oj/runbooks`, { recursive: true });
    fs.writeFileSync(`${dir}/.oj/runbooks/t.hcl`, 'decision_template "ours" {\n option "go" {}\n}');
    const { token } = await person("eve", [{ role: "asker", project: "shop" }], ["ask"]);
    const asked = { ...request("shop", dir), template: "ours" };
    assert.equal((await call("POST", "/decisions", asked)).status, 200);
    const { status, text } = await call("POST", "/decisions", asked, asRemote(token));
    assert.equal(status, 404);
    assert.match(text, /"ours\\" is not built in, and those of the project's runbooks can't be used/);
  });

  it("is told whether a role is missing, or only the scope of the token", async () => {
    const { call, person, asRemote, ask } = await world();
    const id = await ask("shop");
    const cancel = async (role: Role, scope: Scope) => {
      const { token } = await person(role, [{ role, project: "shop" }], [scope]);
      return (await call("POST", `/decisions/${id}/cancel`, { reason: null }, asRemote(token))).text;
    };
    assert.match(
      await cancel("owner", "ask"),
      /owner may withdraw what others asked, but not with this token/,
    );
    assert.match(await cancel("owner", "ask"), /its scopes are ask.*it takes the scope admin/);
    assert.match(await cancel("asker", "admin"), /it takes the right to withdraw .* in project shop/);
    assert.match(await cancel("viewer", "read"), /it takes the right to ask in a project/);
    assert.match(
      await cancel("asker", "read"),
      /asker may ask, but not with this token: its scopes are read/,
    );
    assert.match(await cancel("owner", "admin"), /"state":"withdrawn"/);
  });

  it("narrows whoever brings it to the socket, too", async () => {
    const { call, person } = await world();
    const { token } = await person("ana", [{ role: "viewer", project: null }], ["read"]);
    const bearer = { authorization: `Bearer ${token}` };
    assert.equal((await call("GET", "/decisions", undefined, bearer)).status, 200);
    assert.equal((await call("GET", "/tokens", undefined, bearer)).status, 403);
    assert.equal((await call("GET", "/tokens")).status, 200);
    // an agent's own token counts more: it stays an agent (here one that has ended)
    const both = { ...bearer, [HEADERS.agent]: "nothing" };
    assert.equal((await call("GET", "/decisions", undefined, both)).status, 403);
  });

  it("is never shown again, and its secret is nowhere in the log", async () => {
    const { call, person, events } = await world();
    const { token, id } = await person("ana", [], ["read"]);
    assert.match(token, /^ojp_[A-Za-z0-9]+_[A-Za-z0-9_-]{40,}$/);
    const secret = token.slice(`ojp_${id}_`.length);
    for (const path of ["/tokens", "/people"])
      assert.ok(!(await call("GET", path)).text.includes(secret), path);
    assert.ok(!JSON.stringify(await events()).includes(secret));
  });
});
