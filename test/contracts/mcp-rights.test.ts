/** What a token for MCP may do on every route, past the tools: as if a tool made any call that there is. */
import assert from "node:assert/strict";
import { it, vi } from "vitest";
import type { Exchange } from "../../src/mcp/main.ts";
import { fakeDaemon } from "../fakes/daemon.ts";

interface Inner {
  method: string;
  path: string;
  body?: object;
}

/** In the tools' place: makes the call that it is told to make, as the daemon lets a tool make its own. */
vi.mock("../../src/mcp/main.ts", () => ({
  httpDoor: () => ({
    async serve(request: Request, exchange: Exchange): Promise<Response> {
      const { method, path, body } = (await request.json()) as Inner;
      const headers = { ...exchange.headers, "content-type": "application/json" };
      const with_ = body === undefined ? {} : { body: JSON.stringify(body) };
      return exchange.fetch(new Request(`http://oj${path}`, { method, headers, ...with_ }));
    },
    close: async () => undefined,
  }),
}));

async function world() {
  const daemon = await fakeDaemon({});
  const { dir, call } = daemon;
  const make = async (name: string) => {
    const made = await call("POST", "/mcp/tokens", { name, project: "shop", cwd: dir });
    return made.json as { token: string; url: string };
  };
  const { token, url } = await make("editor");
  const as = (bearer: string) => (method: string, path: string, body?: object) =>
    fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ method, path, body }),
    });
  const own = {
    project: "shop",
    cwd: dir,
    prompt: "Deploy?",
    options: [{ label: "Yes" }, { label: "No" }],
    as: null,
  };
  return { ...daemon, make, token, as, editor: as(token), own };
}

it("gets through to what asking takes and to nothing else, on every route there is", async () => {
  const { call, editor } = await world();
  const document = (await call("GET", "/openapi.json")).json as { paths: Record<string, object> };
  const open: string[] = [];
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of Object.keys(methods).map((it) => it.toUpperCase())) {
      const at = path.replace("{id}", "dec-nothing").replace(/\{\w+\}/, "nothing");
      const { status } = await editor(method, at, method === "POST" ? {} : undefined);
      if (status !== 403) open.push(`${method} ${path} ${status}`);
    }
  assert.deepEqual(open.toSorted(), ["GET /decisions 200", "GET /templates 422", "POST /decisions 422"]);
});

it("asks in its name and its project, sees what it asked, and answers nothing", async () => {
  const { call, editor, own, dir } = await world();
  const asked = await editor("POST", "/decisions", { ...own, as: "editor" });
  assert.equal(asked.status, 200);
  const mine = ((await asked.json()) as { id: string }).id;
  const theirs = ((await call("POST", "/decisions", own)).json as { id: string }).id;
  assert.equal((await editor("GET", `/decisions/${mine}`)).status, 200);
  assert.equal((await editor("GET", `/templates?project=shop&cwd=${dir}`)).status, 200);
  for (const path of [`/decisions/${theirs}`, "/decisions?project=bank"])
    assert.equal((await editor("GET", path)).status, 403, path);
  const list = (await (await editor("GET", "/decisions?all=true")).json()) as { id: string }[];
  assert.deepEqual(
    list.map((it) => it.id),
    [mine],
  );
  for (const body of [
    { ...own, as: "root" },
    { ...own, project: "bank" },
  ])
    assert.equal((await editor("POST", "/decisions", body)).status, 403);
  for (const id of [mine, theirs])
    for (const [path, body] of [
      [`/decisions/${id}/resolve`, { choices: [[1]] }],
      ["/decisions/resolve", { ids: [id], choices: [[1]] }],
      [`/decisions/${id}/undo`, {}],
      [`/decisions/${id}/cancel`, { reason: null }],
    ] as const)
      assert.equal((await editor("POST", path, body)).status, 403, path);
  for (const id of [mine, theirs])
    assert.equal(((await call("GET", `/decisions/${id}`)).json as { state: string }).state, "pending");
});

it("is good at that door alone, until it is revoked or expires; people are asked to come in by theirs", async () => {
  const { call, token, as, editor, make, ports } = await world();
  for (const it of [token, token.replace("ojm_", "ojp_")])
    for (const path of ["/decisions", "/me"])
      assert.equal((await call("GET", path, undefined, { authorization: `Bearer ${it}` })).status, 401);
  assert.deepEqual((await call("GET", "/people")).json, []);
  const person = await call("POST", "/people", { name: "ana" });
  assert.equal(person.status, 200);
  const made = await call("POST", "/tokens", { person: "ana", scopes: ["admin"], lasts_ms: 60_000 });
  assert.equal((await as((made.json as { token: string }).token)("GET", "/decisions")).status, 401);

  const second = as((await make("editor")).token);
  assert.deepEqual(
    [(await editor("GET", "/decisions")).status, (await second("GET", "/decisions")).status],
    [401, 200],
  );
  const now = ports.clock.now();
  ports.clock.now = () => now + 91 * 86_400_000;
  assert.equal((await second("GET", "/decisions")).status, 401);
});
