/**
 * Anything, through every route: what was accepted is there after a kill and a restart, identical to the last character; everything else
 * was refused in words. `OJ_DOCUMENTS=10000` for the full size.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import fc from "fast-check";
import { describe, it } from "vitest";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import type { Reply } from "../support/http.ts";
import { call, killDaemon } from "../support/http.ts";
import { atUrl, connected, tokenFor } from "../support/mcp.ts";

const DOCUMENTS = Number(process.env.OJ_DOCUMENTS ?? 200);
const AT_ONCE = 8;
/** Each takes a process or a file, so there are few of them. */
const FEW = Math.max(4, Math.round(DOCUMENTS / 200));

const IDLE = { scenario: { turns: [[{ say: "Hm." }]] } };
const RUNBOOK = `
command "keep" { run = { job = "keep" } args = "<text>" }
job "keep" { step "ask" { decision { prompt = "\${args.text}"  option "yes" {}  option "no" {} } } }`;

const nasty = fc.constantFrom(
  "\0",
  "\ud800",
  "\udfff",
  "\ufffd",
  "\ufeff",
  "\u2028",
  "\u202e",
  "\u001b[201~",
  "\r\n",
  "'; DROP TABLE events; --",
  "__proto__",
  "${x}",
  "%00",
  "\\u0000",
  "😀",
  "e\u0301",
  " ",
);
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: nasty },
  { weight: 1, arbitrary: fc.constantFrom("\0", "\ud83d") },
);
const text = fc.array(piece, { maxLength: 4 }).map((it) => it.join(""));
const name = fc.array(piece, { minLength: 1, maxLength: 3 }).map((it) => it.join(""));
/** Something that can be read, whatever follows it: enough of these must be accepted. */
const words = text.map((it) => `Q ${it}`);
const json = fc.oneof(
  text,
  fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.integer()), { maxKeys: 4 }),
  fc.jsonValue({ stringUnit: "binary", maxDepth: 3 }),
);
const asked = fc.record({
  project: name,
  prompt: words,
  as: fc.option(name),
  session: fc.option(name),
  options: fc.array(fc.record({ label: words, description: fc.option(text) }), {
    minLength: 1,
    maxLength: 4,
  }),
  context: json,
});
const EVENTS = ["UserPromptSubmit", "PostToolUse", "Stop", "SessionStart", "Notification", "PreToolUse"];
const hook = fc.record({
  hook_event_name: fc.constantFrom(...EVENTS),
  session_id: name,
  cwd: fc.constantFrom("/", "relative", "/no\0where"),
  prompt: text,
  tool_name: name,
  tool_input: json,
  tool_response: json,
  last_assistant_message: text,
  message: text,
});
const document = fc.oneof(
  { weight: 4, arbitrary: asked.map((body) => ({ door: "request" as const, body })) },
  {
    weight: 3,
    arbitrary: fc
      .record({ project: name, as: name, text: words, id: name })
      .map((body) => ({ door: "inject" as const, body })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ project: name, session: name, text: words })
      .map((body) => ({ door: "inject" as const, body })),
  },
  { weight: 2, arbitrary: hook.map((body) => ({ door: "session" as const, body })) },
  { weight: 2, arbitrary: hook.map((body) => ({ door: "agent" as const, body })) },
  {
    weight: 2,
    arbitrary: fc.record({ message: text, user: name }).map((body) => ({ door: "answer" as const, body })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ text: name, user: name }).map((body) => ({ door: "run" as const, body })),
  },
  {
    weight: 2,
    arbitrary: asked.map(({ prompt, options, context }) => ({
      door: "mcp" as const,
      body: { prompt, context, options: options.map(({ label }) => ({ label })) },
    })),
  },
  { weight: 1, arbitrary: fc.record({ query: name }).map((body) => ({ door: "query" as const, body })) },
);
type Document = typeof document extends fc.Arbitrary<infer T> ? T : never;

describe("anything accepted by any route", () => {
  it("is still there after a kill and a restart, identical to the last character", {
    timeout: 1_800_000,
  }, async () => {
    const stage = await agentStage({ idle: IDLE }, { runbook: RUNBOOK, files: {} });
    stage.write({ ".oj/config.toml": "" });
    fs.mkdirSync(path.join(stage.home, ".config/oj"), { recursive: true });
    fs.writeFileSync(
      path.join(stage.home, ".config/oj/config.toml"),
      "[limits]\nrequests_per_minute = 1000000\n",
    );
    await stage.run("daemon", "restart");
    const world = await enter(stage);
    const given = fc.sample(document, { numRuns: DOCUMENTS, seed: 20_261_115 });
    const accepted: Record<string, number> = {};
    for (let at = 0; at < given.length; at += AT_ONCE)
      await Promise.all(
        given.slice(at, at + AT_ONCE).map(async (it) => {
          if (await world.put(it)) accepted[it.door] = (accepted[it.door] ?? 0) + 1;
        }),
      );
    await world.filesAndArguments(fc.sample(name, { numRuns: FEW, seed: 7 }));
    const doors = ["request", "inject", "session", "agent", "answer", "run", "mcp"];
    for (const door of doors)
      assert.ok((accepted[door] ?? 0) > 0, `nothing was accepted at the door ${door}`);

    const before = await world.everything();
    await killDaemon(stage);
    const { code, stdout, stderr } = await stage.run("daemon", "start");
    assert.deepEqual([code, stderr], [0, ""], "it starts");
    assert.doesNotMatch(stdout, /damaged/);
    const after = await world.everything();
    assert.deepEqual(after.events.slice(0, before.events.length), before.events);
    assert.deepEqual(after.decisions, before.decisions);
    assert.deepEqual(after.queues, before.queues);
    world.wereKept(after.decisions);
    process.stdout.write(
      `${given.length} documents; accepted: ${JSON.stringify(accepted)}; ${after.events.length} events\n`,
    );
  });
});

interface View {
  id: string;
  title: string;
  project: string;
  context: string;
  options: { label: string }[];
}

interface World {
  /** Whether it was accepted. */
  put(it: Document): Promise<boolean>;
  /** The routes that take a process or a file each. */
  filesAndArguments(names: string[]): Promise<void>;
  everything(): Promise<{ events: string[]; decisions: View[]; queues: unknown[] }>;
  /** What was sent is what is there. */
  wereKept(decisions: View[]): void;
}

async function enter(stage: Stage): Promise<World> {
  const run = await stage.job("idle");
  await run.asked("idle");
  const { token, url } = await tokenFor(stage, "robot");
  // a connection of its own for each call: one that is kept may be closed in the moment in which it is used again
  const mcp = await connected(atUrl(url, { authorization: `Bearer ${token}`, connection: "close" }));
  const sent = new Map<string, { project?: string; labels: string[] }>();
  const open: string[] = [];

  async function post(to: string, body: object, user = "ana"): Promise<Reply> {
    const headers = { "x-oj-user": encodeURIComponent(user.replace(/\p{Surrogate}/gu, "?")) };
    const reply = await call(stage, "POST", to, { body, headers });
    const isOurs = reply.status < 300 || (reply.status < 500 && /"message":/.test(reply.text));
    assert.ok(isOurs, `${to} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`);
    return reply;
  }

  async function put({ door, body }: Document): Promise<boolean> {
    switch (door) {
      case "request": {
        const options = body.options.map((it) => ({ ...it, description: it.description ?? null }));
        const reply = await post("/decisions", { ...body, options, cwd: stage.dir, file_check: false });
        if (reply.status !== 200) return false;
        const { id } = reply.json<View>();
        sent.set(id, { project: body.project, labels: options.map((it) => it.label) });
        open.push(id);
        return true;
      }
      case "inject":
        return (await post("/inject", body)).status === 200;
      case "session":
        return (await post("/hooks/session", body)).status === 200;
      case "agent":
        return (await reported(stage, run, body)) === 200;
      case "answer": {
        const id = open.shift();
        if (id === undefined) return false;
        const reply = await post(
          `/decisions/${id}/resolve`,
          { choices: [[1]], message: body.message },
          body.user,
        );
        if (reply.status !== 200) open.push(id);
        return reply.status === 200;
      }
      case "run": {
        const what = { cwd: stage.dir, project: body.text, command: "keep", argv: [body.text], env: {} };
        return (await post("/run", what, body.user)).status === 200;
      }
      case "mcp": {
        const context =
          typeof body.context === "object" && !Array.isArray(body.context) ? body.context : null;
        const input = { ...body, context: context ?? String(body.context), file_check: false };
        const result = await mcp.client.callTool({ name: "request_decision", arguments: input });
        return result.isError !== true;
      }
      case "query": {
        const query = encodeURIComponent(body.query.replace(/\p{Surrogate}/gu, "?"));
        const reply = await call(stage, "GET", `/decisions?project=${query}&search=${query}`);
        assert.equal(reply.status, body.query.includes("\0") ? 422 : 200, reply.text);
        return reply.status === 200;
      }
    }
  }

  return {
    put,
    async filesAndArguments(names) {
      for (const it of names) {
        const argument = it.replaceAll("\0", "").replace(/^-+/, "") || "x";
        await stage.run("decision", "request", "--prompt", argument, "--option", "a", "--as", argument);
        await stage.run("inject", "add", "--as", argument, argument);
        stage.write({ ".oj/config.toml": `[project]\nname = ${tomlText(it)}\n` });
        const { code, stderr } = await stage.run(
          "decision",
          "request",
          "--prompt",
          "of a file",
          "--option",
          "a",
        );
        assert.ok(code === 0 || /project/.test(stderr), stderr);
        stage.write({ ".oj/config.toml": "", ".oj/runbooks/random.hcl": runbookOf(it) });
        await stage.run("run", "odd");
      }
      fs.rmSync(path.join(stage.dir, ".oj/runbooks/random.hcl"), { force: true });
    },
    async everything() {
      const { seq } = (await call(stage, "GET", "/health")).json<{ seq: number }>();
      const decisions: View[] = [];
      for (let before = ""; ; ) {
        const page = (await call(stage, "GET", `/decisions?all=true&limit=1000${before}`)).json<View[]>();
        decisions.push(...page);
        if (page.length < 1000) break;
        before = `&before=${page.at(-1)?.id}`;
      }
      const queues = (await call(stage, "GET", "/inject")).json<unknown[]>();
      return {
        events: await eventsUpTo(stage, seq),
        decisions: decisions.filter(isAtRest).map(settled),
        queues,
      };
    },
    wereKept(decisions) {
      const byId = new Map(decisions.map((it) => [it.id, it]));
      for (const [id, { project, labels }] of sent) {
        const found = byId.get(id);
        assert.ok(found, `${id} is gone`);
        assert.equal(found.project, project);
        for (const label of labels)
          assert.ok(
            found.options.some((it) => it.label === label.trim() || it.label === label),
            `${JSON.stringify(label)} in ${JSON.stringify(found.options)}`,
          );
      }
    },
  };
}

/** The agent lives on and asks again; what it asked before is in the events. */
function isAtRest(it: View): boolean {
  return (it as View & { agent_id: string | null }).agent_id === null;
}

/** What a restart may change for reasons of its own is not compared. */
function settled(it: View): View {
  const { delivery: _, ...rest } = it as View & { delivery: unknown };
  return rest;
}

function reported({ stateDir }: Stage, { agent }: Run, body: object): Promise<number> {
  const port = Number(fs.readFileSync(path.join(stateDir, "port"), "utf8"));
  const token = fs.readFileSync(path.join(stateDir, "agents", agent, "token"), "utf8").trim();
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "x-oj-agent-token": token };
    http
      .request({ port, host: "127.0.0.1", path: "/hooks/agent", method: "POST", headers }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      })
      .on("error", reject)
      .end(JSON.stringify(body));
  });
}

function eventsUpTo({ stateDir }: Stage, seq: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { socketPath: path.join(stateDir, "oj.sock"), path: "/events?after=0" },
      (response) => {
        let left = "";
        const events: string[] = [];
        response.setEncoding("utf8").on("data", (part: string) => {
          const lines = (left + part).split("\n");
          left = lines.pop() ?? "";
          for (const line of lines) if (line.startsWith("data: ")) events.push(line.slice(6));
          if (events.length < seq) return;
          request.destroy();
          resolve(events);
        });
        response.on("end", () =>
          reject(new Error(`the stream ended after ${events.length} of ${seq} events`)),
        );
      },
    );
    request.on("error", reject);
    request.setTimeout(60_000, () => reject(new Error("the stream says nothing any more")));
  });
}

function tomlText(text: string): string {
  return `"${[...text].map((it) => `\\U${(it.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`).join("")}"`;
}

function runbookOf(text: string): string {
  const quoted = [...text]
    .map((it) => `\\U${(it.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`)
    .join("");
  return `command "odd" { run = { job = "odd" } }
job "odd" { name = "${quoted}"  step "ask" { decision { prompt = "${quoted}"  option "yes" {}  option "no" {} } } }`;
}
