/** An agent's token on every route: it asks, reads and awaits what is its own, and nothing else; what it tries is recorded. */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import { writeFirst } from "../../fakes/write-first.ts";
import type { RightsWorld, Row } from "../support/agent-rights.ts";
import { rightsWorld, rows } from "../support/agent-rights.ts";
import { agentStage } from "../support/agents.ts";
import { call } from "../support/http.ts";
import { atStdio, atUrl, connected, idIn, urlOf, yesOrNo } from "../support/mcp.ts";

interface Body {
  error?: { code: string };
}

const codeOf = (text: string) =>
  text.startsWith("{") ? ((JSON.parse(text) as Body).error?.code ?? null) : null;
const show = ({ method, path: to }: Row) => `${method} ${to}`;

/** Everything that people could see change. */
const facts = ({ stage, run }: RightsWorld) =>
  stage.events
    .filter((it) => it.type !== "agent:refused" && it.id !== run.agent)
    .map((it) => `${it.type} ${it.id}`);

describe("an agent's token over HTTP", () => {
  it("gets what the table says on every route, and each refusal is recorded", async () => {
    const world = await rightsWorld();
    const { stage, headers } = world;
    const table = rows(world);
    const { paths } = (await call(stage, "GET", "/openapi.json", { headers })).json<{
      paths: Record<string, Record<string, unknown>>;
    }>();
    const routes = Object.entries(paths).flatMap(([at, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${at}`),
    );
    assert.deepEqual(routes.toSorted(), [...new Set(table.map((it) => it.route))].toSorted());

    const before = facts(world);
    const refused = table.filter((it) => it.refused !== null);
    for (const row of refused) {
      const reply = await call(stage, row.method, row.path, { body: row.body, headers });
      assert.deepEqual([reply.status, codeOf(reply.text)], [403, row.refused], show(row));
    }
    assert.deepEqual(facts(world), before, "a refused call changes nothing");
    await world.untilRefused(refused.length);
    assert.deepEqual(
      world.refused().map((it) => it.call),
      refused.map((row) => `${row.method} ${row.path.split("?")[0]}`),
    );
    const inJournal = () =>
      fs.readFileSync(path.join(stage.stateDir, "daemon.log"), "utf8").split("an agent was refused").length -
      1;
    await stage.until(() => inJournal() >= refused.length, "each refusal in the journal");
    assert.equal(inJournal(), refused.length);

    for (const row of table.filter((it) => it.refused === null)) {
      const reply = await call(stage, row.method, row.path, { body: row.body, headers });
      const isAwait = row.path.endsWith("/await");
      assert.equal(reply.status, isAwait ? 408 : 200, `${show(row)}: ${reply.text}`);
    }
  });

  also("gives access only to what is its own, under the name and in the project of the token", async () => {
    const world = await rightsWorld();
    const { stage, headers, decisions, run, bank } = world;
    const get = async <T>(to: string) => (await call(stage, "GET", to, { headers })).json<T>();
    const own = [decisions.own, decisions.about].toSorted();
    const ids = (all: { id: string }[]) => all.map((it) => it.id).toSorted();
    assert.deepEqual(ids(await get("/decisions?all=true")), own);
    assert.deepEqual(ids(await get("/jobs")), [run.owner]);
    assert.equal((await get<{ pending: number }>("/health")).pending, 2);
    const [status, ...more] = await get<{ project: string; jobs: []; pending: []; agents: [] }[]>("/status");
    assert.deepEqual(more, []);
    assert.deepEqual(
      [status?.project, ids(status?.jobs ?? []), ids(status?.pending ?? []), ids(status?.agents ?? [])],
      ["shop", [run.owner], own, [run.agent]],
    );
    const templates = await get<{ name: string }[]>(`/templates?cwd=${encodeURIComponent(bank)}`);
    const names = templates.map((it) => it.name);
    assert.deepEqual([names.includes("shop-only"), names.includes("bank-only")], [true, false]);
    const request = await stage.decision(decisions.own);
    assert.deepEqual(
      [request.agent_id, request.owner.id, request.owner.name],
      [run.agent, run.agent, "tries"], // the header said "ana"
    );
  });

  also("is refused everywhere if it is unknown, or if its agent's work is over", async () => {
    const world = await rightsWorld();
    const { stage, run, headers } = world;
    const table = rows(world);
    for (const token of ["x".repeat(43), "", world.token.slice(0, -1)])
      for (const row of table.slice(0, 12)) {
        const reply = await call(stage, row.method, row.path, {
          body: row.body,
          headers: { "x-oj-agent-token": token },
        });
        assert.deepEqual([reply.status, codeOf(reply.text)], [403, "request.forbidden"], show(row));
      }
    assert.equal((await stage.run("job", "cancel", run.owner)).code, 0);
    await run.ended();
    await stage.until(async () => (await run.view()).status === "ended");
    for (const row of table) {
      const reply = await call(stage, row.method, row.path, { body: row.body, headers });
      assert.deepEqual([reply.status, codeOf(reply.text)], [403, "request.forbidden"], show(row));
    }
  });
});

describe("the port for hooks", () => {
  also("accepts reports with a token, and offers nothing else to anybody", async () => {
    const world = await rightsWorld();
    const { stage, token, decisions } = world;
    const port = Number(fs.readFileSync(path.join(stage.stateDir, "port"), "utf8"));
    const hook = { hook_event_name: "Notification", session_id: "s" };
    const post = (to: string, headers: Record<string, string> = {}, method = "POST") =>
      new Promise<number>((resolve, reject) => {
        http
          .request({ port, host: "127.0.0.1", path: to, method, headers }, (response) => {
            response.resume().on("end", () => resolve(response.statusCode ?? 0));
          })
          .on("error", reject)
          .end(method === "POST" ? JSON.stringify(hook) : undefined);
      });
    const own = { "x-oj-agent-token": token };
    assert.equal(await post("/hooks/agent", own), 200);
    assert.equal(await post("/hooks/agent"), 403);
    assert.equal(await post("/hooks/agent", { "x-oj-agent-token": "x".repeat(43) }), 403);
    assert.equal(await post("/hooks/agent", { ...own, origin: "http://127.0.0.1" }), 403);
    assert.equal(await post("/hooks/agent", { ...own, host: `localhost:${port}` }), 403);
    for (const row of rows(world))
      for (const to of [row.path, `/api${row.path}`]) {
        assert.equal(await post(to, own, row.method), 403, show(row));
        assert.equal(
          await post(to, { ...own, origin: `http://127.0.0.1:${port}` }, row.method),
          403,
          show(row),
        );
      }
    assert.equal(await post("/login", { ...own, origin: `http://127.0.0.1:${port}` }), 403);
    const large = Buffer.alloc(10 * 1024 * 1024, "x");
    const head = ["POST /hooks/agent HTTP/1.1", `host: 127.0.0.1:${port}`, `x-oj-agent-token: ${token}`];
    for (let n = 0; n < 20; n++) {
      const socket = net.connect({ port, host: "127.0.0.1" });
      const text = await writeFirst(socket, [...head, `content-length: ${large.length}`], large);
      assert.match(text, /^HTTP\/1\.1 413 [\s\S]*larger than 4 MB/, "read by who sends all of it first");
    }
    assert.equal((await stage.decision(decisions.own)).state, "pending");
  });
});

describe("an agent's token over MCP", () => {
  for (const door of ["oj mcp", "/mcp"] as const)
    also(`reaches its own through ${door} and nothing else, and each attempt is recorded`, async () => {
      const world = await rightsWorld();
      const { stage, token, decisions, run } = world;
      const { own, about, others, person, foreign } = decisions;
      const transport =
        door === "/mcp"
          ? atUrl(await urlOf(stage), { "x-oj-agent-token": token, "x-oj-user": "ana" })
          : atStdio(stage, { env: world.env });
      const mcp = await connected(transport);
      const { tools } = await mcp.client.listTools();
      assert.deepEqual(
        tools.map((it) => it.name),
        ["request_decision", "await_decision", "check_decision", "list_my_decisions", "signal"],
      );
      assert.match(tools[0]?.description ?? "", /shop-only/);
      assert.doesNotMatch(tools[0]?.description ?? "", /bank-only/);

      const before = facts(world);
      const notOwn = [others, person, foreign, "dec-2345678923", others.slice(0, 7)];
      for (const id of notOwn)
        for (const tool of ["check_decision", "await_decision"])
          assert.match(await mcp.refused(tool, { id }), /is not one of your decisions/);
      await world.untilRefused(notOwn.length * 2);
      for (const more of [{ as: "ana" }, { project: "bank" }, { cwd: world.bank }])
        assert.match(
          await mcp.refused("request_decision", { ...yesOrNo("May I?"), ...more }),
          /Unrecognized key/,
        );
      for (const name of ["resolve_decision", "cancel_decision"])
        await assert.rejects(mcp.client.callTool({ name, arguments: { id: own } }), /not found/);
      assert.deepEqual(facts(world), before, "nothing has changed");

      for (const id of [own, about]) assert.match(await mcp.ask("check_decision", { id }), /still pending/);
      assert.equal(await mcp.ask("list_my_decisions", { all: true }), `${own}  pending  May I?`);
      const asked = await stage.decision(idIn(await mcp.ask("request_decision", yesOrNo("Now?"))));
      assert.deepEqual([asked.agent_id, asked.owner.name], [run.agent, "tries"]);
      assert.equal((await stage.decision(own)).state, "superseded");
      await mcp.ask("signal", { signal: "escalate" });
      await run.until(() => run.events("agent:signalled").length === 1, "the signal");
    });

  also("can't act under another name, and can't create tokens", async () => {
    const world = await rightsWorld();
    const { stage, env } = world;
    const agent = { ...stage.env };
    Object.assign(stage.env, env);
    assert.equal((await stage.run("mcp", "--as", "ana")).code, 2);
    for (const words of [["--token", "me"], ["--tokens"], ["--revoke", "desktop"]])
      assert.equal(codeOf((await stage.run("mcp", ...words, "-o", "json")).stdout), "request.forbidden");
    const elsewhere = await connected(atStdio(stage, { args: ["--project", "bank"] }));
    assert.match(await elsewhere.refused("request_decision", yesOrNo("?")), /can't use another project/);
    for (const name of Object.keys(env)) delete stage.env[name];
    Object.assign(stage.env, agent);
    await world.untilRefused(4);
  });
});

describe("an agent's token on the command line", () => {
  it("gets no further, whatever the agent types, and each attempt is recorded", async () => {
    const world = await rightsWorld();
    const { stage, run, other, bankJob, decisions } = world;
    const { own, about, others, person, foreign } = decisions;
    const tries: [code: string, ...words: string[]][] = [
      ...[own, about, others, person, foreign].map((id): [string, ...string[]] => [
        "request.forbidden",
        "decision",
        "resolve",
        id,
        "1",
      ]),
      ["request.forbidden", "decision", "resolve", own, person, "1"],
      ["request.forbidden", "decision", "undo", person],
      ["decision.not-yours", "decision", "show", person],
      ["decision.not-yours", "decision", "show", foreign],
      ["decision.not-yours", "decision", "await", others, "--timeout", "60s"],
      ["decision.not-yours", "decision", "cancel", person],
      ["decision.not-yours", "decision", "cancel", about],
      ["request.forbidden", "decision", "list", "--project", "bank"],
      ["request.forbidden", "status", "--project", "bank"],
      ["request.forbidden", "decision", "request", "--prompt", "x", "--option", "y", "--as", "ana"],
      ["request.forbidden", "decision", "request", "--prompt", "x", "--option", "y", "--project", "bank"],
      ["request.forbidden", "job", "show", other.owner],
      ["request.forbidden", "job", "show", bankJob],
      ["request.forbidden", "job", "cancel", run.owner],
      ["request.forbidden", "job", "resume", run.owner],
      ["request.forbidden", "job", "suspend", other.owner],
      ["request.forbidden", "job", "delete", run.owner],
      ["request.forbidden", "agent", "list"],
      ["request.forbidden", "agent", "send", other.agent, "Approve it."],
      ["request.forbidden", "agent", "kill", other.agent],
      ["request.forbidden", "run", "other"],
      ["request.forbidden", "daemon", "stop"],
      ["request.forbidden", "daemon", "stop", "--kill"],
    ];
    const before = facts(world);
    const agent = { ...stage.env };
    Object.assign(stage.env, world.env);
    for (const [code, ...words] of tries) {
      const { stdout, code: exit } = await stage.run(...words, "-o", "json");
      assert.deepEqual([exit, codeOf(stdout)], [1, code], `oj ${words.join(" ")}: ${stdout}`);
    }
    for (const name of Object.keys(world.env)) delete stage.env[name];
    Object.assign(stage.env, agent);
    assert.deepEqual(facts(world), before);
    await world.untilRefused(tries.length);
  });
});

describe.skipIf(!fs.existsSync("/proc/self/environ"))("an agent that hides its token", () => {
  it("is recognized by its parent processes, and a daemon that it starts belongs to nobody", async () => {
    const hidden = "env -u OJ_AGENT_TOKEN -u OJ_AGENT";
    const turn = [
      { run: `${hidden} oj decision resolve $(cat theirs) 1 -o json` },
      { run: `OJ_AGENT_TOKEN= bash -c 'bash -c "oj decision resolve $(cat theirs) 1 -o json; true"'` },
      { run: `${hidden} oj daemon stop -o json` },
      { run: "kill -9 $(cat $OJ_STATE_DIR/daemon.pid); oj decision list -o json" },
      { say: "I tried." },
    ];
    const stage = await agentStage(
      { idle: { scenario: { turns: [[{ say: "Hm." }]] } }, hides: { scenario: { turns: [turn] } } },
      {
        runbook: `command "look" { run = { job = "look" } }
          job "look" { step "look" { run = "oj decision list -o json > seen.json" } }`,
      },
    );
    const idle = await stage.job("idle");
    const { id } = await idle.asked("idle");
    stage.write({ theirs: id });
    const hides = await stage.job("hides");
    await hides.asked("idle");
    assert.deepEqual(
      hides.events("agent:refused").map((it) => it.call),
      [`POST /decisions/${id}/resolve`, `POST /decisions/${id}/resolve`, "POST /daemon/stop"],
    );
    assert.equal((await stage.decision(id)).state, "pending");
    const [, , , restarted] = hides.told("run") as unknown as { code: number; output: string }[];
    assert.equal(restarted?.code, 0);
    assert.ok(!restarted.output.includes(id));

    const { job_id } = await stage.json<{ job_id: string }>("run", "look");
    assert.equal((await stage.run("job", "wait", job_id)).code, 0);
    assert.ok(
      fs.readFileSync(path.join(stage.dir, "seen.json"), "utf8").includes(id),
      "a step is a person's",
    );
  });
});
