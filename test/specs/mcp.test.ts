/** Asking through MCP, with the official client. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import { userInfo } from "node:os";
import path from "node:path";
import { describe, it } from "vitest";
import { also, few } from "../everything.ts";
import { killDaemon } from "./support/http.ts";
import { atStdio, atUrl, connected, ERAS, idIn, OJ, tokenFor, urlOf, yesOrNo } from "./support/mcp.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  state: string;
  requested_by: string;
  delivery: { state: string };
}

const show = (project: Project, id: string) => project.json<Decision>("decision", "show", id);

const TEMPLATES = {
  ".oj/runbooks/a.hcl": `decision_template "tradeoff" {
    prompt_hint      = "Name what you give up"
    required_context = { cost = {}, alternatives = { min = 2 } }
  }`,
};

const DOORS = [
  ["oj mcp", async (project: Project) => atStdio(project, { args: ["--as", "planner"] })],
  [
    "/mcp",
    async (project: Project) => {
      const { token, url } = await tokenFor(project, "planner");
      return atUrl(url, { authorization: `Bearer ${token}` });
    },
  ],
] as const;

for (const [door, open] of few(DOORS, 1)) {
  describe(door, () => {
    also("lets an accepted policy answer what is asked, and leaves the rest to a person", async () => {
      const policy =
        'policy "npm" {\n  answer = { source = "request", question = "Which *", option = "npm" }\n}\n';
      const project = await tempProject({ ".oj/runbooks/policy.hcl": policy });
      await project.run("policy", "accept");
      const mcp = await connected(await open(project));
      const options = [{ label: "npm" }, { label: "yarn" }];
      const ruled = idIn(await mcp.ask("request_decision", { prompt: "Which one?", options }));
      assert.match(await mcp.ask("await_decision", { id: ruled }), /npm/);
      const answered = await project.json<{ answer: { by: string; via: string } }>("decision", "show", ruled);
      assert.deepEqual([answered.answer.by, answered.answer.via], ['policy "npm"', "policy"]);
      const left = idIn(await mcp.ask("request_decision", { prompt: "And then?", options }));
      assert.equal((await show(project, left)).state, "pending");
      const log = await project.json<{ decision: string }[]>("policy", "log");
      assert.deepEqual(
        log.map((it) => it.decision),
        [ruled],
      );
    });

    for (const era of few(ERAS, 1))
      it(`oj mcp asks, waits and returns the answer (${era})`, async () => {
        const project = await tempProject();
        const mcp = await connected(await open(project), era);
        const { tools } = await mcp.client.listTools();
        assert.deepEqual(
          tools.map((it) => it.name),
          ["request_decision", "await_decision", "check_decision", "list_my_decisions", "signal"],
        );
        const options = [{ label: "12:30" }, { label: "Later", description: "after the release: tomorrow" }];
        const input = { prompt: "When?\nSay.", options, recommend: 2, context: { tests: ["green"] } };
        const id = idIn(await mcp.ask("request_decision", input));
        const asked = await project.json<object>("decision", "show", id);
        assert.deepEqual(
          { ...asked, id, options: undefined },
          {
            ...asked,
            ...{ id, title: input.prompt, fields: input.context, requested_by: "planner", project: "shop" },
            options: undefined,
          },
        );
        assert.match(await mcp.ask("check_decision", { id }), /still pending/);
        const waiting = mcp.ask("await_decision", { id });
        await project.run("decision", "resolve", id, "2", "-m", "not before ten");
        assert.equal(
          await waiting,
          `${id} was answered by ana.\nChosen: option 2, "Later"\nThey add: not before ten`,
        );
        const delivered = async () => (await show(project, id)).delivery.state === "acknowledged";
        await project.until(delivered, "the receipt");
        assert.equal(await mcp.ask("await_decision", { id }), await waiting, "it can be read again");
      });

    it('oj mcp says "still pending" in time, reports progress, and loses nothing', async () => {
      const project = await tempProject();
      const mcp = await connected(await open(project));
      const id = idIn(await mcp.ask("request_decision", yesOrNo("Go?")));
      assert.match(
        await mcp.ask("await_decision", { id, wait_seconds: 0.2 }),
        /still pending.*await_decision/,
      );
      const told: unknown[] = [];
      const limit = {
        timeout: 11_000,
        resetTimeoutOnProgress: true,
        onprogress: (it: unknown) => told.push(it),
      };
      const result = mcp.client.callTool(
        { name: "await_decision", arguments: { id, wait_seconds: 13 } },
        limit,
      );
      assert.match(JSON.stringify((await result).content), /still pending/);
      assert.ok(told.length > 0, "without progress the client would have given up");
      const abort = new AbortController();
      const given = { signal: abort.signal };
      const cut = mcp.client.callTool({ name: "await_decision", arguments: { id } }, given);
      abort.abort(new Error("the client's limit"));
      await assert.rejects(cut);
      await project.run("decision", "resolve", id, "1");
      assert.match(await mcp.ask("check_decision", { id }), /Chosen: option 1, "Yes"/);
    });

    also("oj mcp explains what it refuses, and a refused request changes nothing", async () => {
      const project = await tempProject(TEMPLATES);
      const mcp = await connected(await open(project));
      const { tools } = await mcp.client.listTools();
      assert.match(
        tools[0]?.description ?? "",
        /- tradeoff: Name what you give up; context needs cost, alternatives \(a list of 2/,
      );
      const id = idIn(await mcp.ask("request_decision", yesOrNo("First?")));
      const none = await mcp.refused("request_decision", { prompt: " ", options: [] });
      assert.match(none, /the prompt is empty; it has no options\nNothing was asked; correct this/);
      const poor = { ...yesOrNo("Which?"), template: "tradeoff", context: { alternatives: "one" } };
      const taught = await mcp.refused("request_decision", poor);
      assert.match(taught, /"cost" is missing; "alternatives" must be a list/);
      assert.match(taught, /For example, context: \{"cost":.*"alternatives":\[.*,.*\]/);
      const broken = { ...yesOrNo("The build failed. Go on?"), recommend: 3 };
      const both = /recommend 3 is not one of.*no option files it[\s\S]*file_check: false/;
      assert.match(await mcp.refused("request_decision", broken), both);
      assert.match(await mcp.refused("request_decision", { promt: "?" }), /promt/);
      assert.match(await mcp.refused("signal", { signal: "done" }), /request_decision/);
      await assert.rejects(mcp.client.callTool({ name: "resolve_decision", arguments: { id } }), /not found/);
      assert.equal((await show(project, id)).state, "pending");
    });

    it("oj mcp has one pending question at a time, and shows only its own", async () => {
      const project = await tempProject();
      const mcp = await connected(await open(project));
      const other = await project.json<Decision>(
        "decision",
        "request",
        "--prompt",
        "?",
        "--option",
        "a",
        "--as",
        "x",
        "--project",
        "elsewhere",
      );
      const first = idIn(await mcp.ask("request_decision", yesOrNo("First?")));
      const second = idIn(await mcp.ask("request_decision", yesOrNo("Second?")));
      assert.match(await mcp.ask("await_decision", { id: first }), new RegExp(`replaced.*${second}`));
      assert.equal(await mcp.ask("list_my_decisions"), `${second}  pending  Second?`);
      assert.equal((await mcp.ask("list_my_decisions", { all: true })).split("\n").length, 2);
      for (const tool of ["check_decision", "await_decision"])
        assert.match(await mcp.refused(tool, { id: other.id }), /not one of your decisions/);
      assert.equal((await show(project, other.id)).delivery.state, "none");
    });

    it("oj mcp carries on after the daemon was killed", async () => {
      const project = await tempProject();
      const mcp = await connected(await open(project));
      const id = idIn(await mcp.ask("request_decision", yesOrNo("Go?")));
      const timeout = door === "/mcp" ? 10_000 : 60_000; // over HTTP, the client only notices that nothing comes
      const waiting = mcp.ask("await_decision", { id }, { timeout }).catch((error: Error) => error);
      await killDaemon(project);
      await project.run("decision", "resolve", id, "1");
      const said = await waiting;
      // An open HTTP call dies with the daemon, and is made again; stdio's own process survives it.
      const answer = said instanceof Error ? await mcp.ask("await_decision", { id }) : said;
      assert.match(answer, /Chosen: option 1, "Yes"/);
      assert.equal(said instanceof Error, door === "/mcp");
    });
  });
}

describe("sessions of oj mcp", () => {
  also("have names of their own, and can await another session's question by its id", async () => {
    const project = await tempProject();
    const [a, b] = [await connected(atStdio(project)), await connected(atStdio(project))];
    const first = idIn(await a.ask("request_decision", yesOrNo("A?")));
    const second = idIn(await b.ask("request_decision", yesOrNo("B?")));
    const both = [await show(project, first), await show(project, second)];
    assert.deepEqual(
      both.map((it) => it.state),
      ["pending", "pending"],
    );
    for (const it of both) assert.match(it.requested_by, /^test-client-[0-9a-f]{6}$/);
    await project.run("decision", "resolve", first, "1");
    assert.match(await b.ask("await_decision", { id: first }), /"Yes"/);
  });
});

describe("hostile input", () => {
  /** `oj mcp`, spoken to in bytes. */
  function raw(project: Project) {
    const child = spawn(process.execPath, [OJ, "mcp"], { cwd: project.dir, env: project.env });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      out += part;
    });
    child.stdin.on("error", () => {}); // it has closed its end
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, ended, said: () => out };
  }
  const hello = {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };

  it("is skipped on stdio, and whatever makes sense is answered", async () => {
    const project = await tempProject();
    const { child, ended, said } = raw(project);
    const junk = [
      "",
      "{",
      "[]",
      "null",
      '"x"',
      `{"jsonrpc":"1.0"}`,
      `{"jsonrpc":"2.0","id":{},"method":3}`,
      "\0\x1b[2J",
      "[".repeat(50_000),
    ];
    for (const line of junk) child.stdin.write(`${line}\n`);
    child.stdin.write(`${JSON.stringify(hello)}\n`);
    await project.until(() => said().includes('"serverInfo"'), "an answer");
    for (const line of junk) child.stdin.write(`${line}\n`);
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "no/such" })}\n`);
    await project.until(() => said().includes('"id":2'), "a refusal");
    child.stdin.end();
    assert.equal(await ended, 0);
    for (const line of said().trimEnd().split("\n")) assert.equal(JSON.parse(line).jsonrpc, "2.0");
  });

  it("ends oj mcp when a message never ends, and when its input closes", async () => {
    const project = await tempProject();
    const endless = raw(project);
    endless.child.stdin.write("x".repeat(6 * 1024 * 1024));
    assert.equal(await endless.ended, 0);

    const mcp = raw(project);
    mcp.child.stdin.write(`${JSON.stringify(hello)}\n`);
    await project.until(() => mcp.said().includes('"serverInfo"'), "an answer");
    const call = (id: number, name: string, args: object) =>
      mcp.child.stdin.write(
        `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } })}\n`,
      );
    call(2, "request_decision", yesOrNo("Go?"));
    const id = await project.until(() => /dec-\w+/.exec(mcp.said())?.[0], "a question");
    call(3, "await_decision", { id });
    mcp.child.stdin.end(`{"jsonrpc":"2.0","id":4,"meth`);
    const before = Date.now();
    assert.equal(await mcp.ended, 0);
    assert.ok(Date.now() - before < 30_000, "it does not wait for the answer");
    assert.equal((await show(project, id)).state, "pending");
  });

  it("gets nothing from the port: other hosts, web pages, wrong tokens, anything but JSON-RPC", async () => {
    const project = await tempProject();
    const { token } = await tokenFor(project, "desktop");
    const url = await urlOf(project);
    const authorization = `Bearer ${token}`;
    const type = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify(hello);
    const status = (headers: Record<string, string>, sent: string | null = body, method = "POST") =>
      new Promise<number>((resolve, reject) => {
        const request = http.request(
          url,
          { method, agent: false, headers: { ...type, ...headers } },
          (response) => {
            response.resume().on("end", () => resolve(response.statusCode ?? 0));
          },
        );
        request.on("error", reject).end(sent ?? undefined);
      });
    assert.equal(await status({ authorization }), 200);
    assert.equal(await status({ authorization, host: "evil.example" }), 403);
    assert.equal(await status({ authorization, origin: "http://127.0.0.1" }), 403);
    assert.equal(await status({}), 401);
    for (const it of ["Bearer x", `Basic ${token}`, `Bearer ${token}x`, ""])
      assert.equal(await status({ authorization: it }), 401);
    assert.equal(await status({ "x-oj-agent-token": "x" }), 401);
    for (const it of ["{", "[]", "null", "3", '{"jsonrpc":"2.0","method":{}}', "\0"]) {
      const code = await status({ authorization }, it);
      assert.ok(code >= 400 && code < 500, `${it}: ${code}`);
    }
    assert.equal(await status({ authorization }, `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`), 413);
    assert.equal(await status({ authorization, "content-type": "text/plain" }), 415);
    for (const method of ["GET", "DELETE", "PUT"])
      assert.equal(await status({ authorization }, null, method), 405);

    await project.run("mcp", "--revoke", "desktop");
    assert.equal(await status({ authorization }), 401);
    assert.equal(await status({}, null, "GET"), 401);
  });
});

describe("tokens", () => {
  it("survive the daemon, replace older ones, and fix name and project", async () => {
    const project = await tempProject();
    const old = await tokenFor(project, "desktop");
    const { token, url } = await tokenFor(project, "desktop");
    await project.run("daemon", "restart");
    assert.deepEqual(
      (await project.json<{ name: string; project: string }[]>("mcp", "--tokens")).map((it) => [
        it.name,
        it.project,
      ]),
      [["desktop", "shop"]],
    );
    await assert.rejects(connected(atUrl(url, { authorization: `Bearer ${old.token}` })));
    const mcp = await connected(atUrl(url, { authorization: `Bearer ${token}` }));
    const id = idIn(await mcp.ask("request_decision", yesOrNo("Go?")));
    assert.equal((await show(project, id)).requested_by, "desktop");
    const asked = await project.json<{ requester: string }>("audit", "show", id);
    assert.equal(asked.requester, "desktop");

    const [kept] = await project.json<{ id: string; sponsor: string }[]>("mcp", "--tokens");
    assert.equal(kept?.sponsor, userInfo().username);
    const next = await project.json<{ token: string }>("token", "rotate", kept?.id ?? "");
    assert.match(next.token, /^ojm_/);
    for (const it of [token, next.token]) {
      const again = await connected(atUrl(url, { authorization: `Bearer ${it}` }));
      assert.match(await again.ask("check_decision", { id }), /still pending/);
    }
    await project.json("token", "revoke", kept?.id ?? "");
    await assert.rejects(connected(atUrl(url, { authorization: `Bearer ${token}` })));
    assert.equal((await project.run("role", "grant", "mcp:desktop", "approver")).code, 1);
    assert.equal((await project.run("mcp", "--token", "brief", "--lasts", "soon")).code, 2);
    const { code, stderr } = await project.run("mcp", "--revoke", "nobody");
    assert.deepEqual([code, /nobody has no token/.test(stderr)], [1, true]);
  });

  also("are taken over from the file that older versions kept", async () => {
    const project = await tempProject();
    const token = `ojm_${"a".repeat(43)}`;
    const sha256 = createHash("sha256").update(token).digest("hex");
    const file = path.join(project.stateDir, "mcp-tokens.json");
    fs.mkdirSync(project.stateDir, { recursive: true, mode: 0o700 });
    const entry = { name: "desktop", project: "shop", root: project.dir, created_at_ms: 1 };
    fs.writeFileSync(file, JSON.stringify({ [sha256]: entry }));
    await project.json("status");
    assert.ok(!fs.existsSync(file));
    await project.run("daemon", "restart");
    const mcp = await connected(atUrl(await urlOf(project), { authorization: `Bearer ${token}` }));
    idIn(await mcp.ask("request_decision", yesOrNo("Go?")));
  });
});
