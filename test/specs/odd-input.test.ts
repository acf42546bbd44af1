/** Odd input that must not harm what follows: odd texts, odd numbers, another project's work. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { call, question } from "./support/http.ts";
import { atUrl, connected, tokenFor, yesOrNo } from "./support/mcp.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Refusal } from "./support/views.ts";

const RUNBOOK = `
command "say" { run = { job = "say" } args = "<text>" }
job "say" { step "say" { run = "echo \${args.text}" } }
command "wait" { run = { job = "wait" } }
job "wait" { step "ask" { decision { prompt = "Go?"  option "yes" {}  option "no" {} } } }`;

async function running(): Promise<Project> {
  const project = await tempProject({ ".oj/runbooks/a.hcl": RUNBOOK });
  const { code, stderr } = await project.run("daemon", "start");
  assert.equal(code, 0, stderr);
  return project;
}

describe("text that can't be stored", () => {
  it("is refused in every field with its place, and the next start can read the log", async () => {
    const project = await running();
    const ask = question(project, "Keep it?");
    const asked = await call(project, "POST", "/decisions", { body: ask });
    const { id } = asked.json<{ id: string }>();
    const run = { cwd: project.dir, project: "shop", command: "say", argv: ["x"], named: {}, env: {} };
    const inject = { project: "shop", as: "bob", text: "hi" };
    const table: [string, object, string][] = [
      ...["project", "prompt", "as", "session", "context", "template", "parent"].map(
        (field): [string, object, string] => ["/decisions", { ...ask, [field]: "a\0b" }, field],
      ),
      ["/decisions", { ...ask, options: [{ label: "a\ud800" }] }, "options.0.label"],
      ["/decisions", { ...ask, context: { "k\0": 1 } }, "context"],
      ["/decisions", { ...ask, blocks: ["x\0"] }, "blocks.0"],
      ...["project", "as", "text", "id"].map((field): [string, object, string] => [
        "/inject",
        { ...inject, [field]: "a\0b" },
        field,
      ]),
      [`/decisions/${id}/resolve`, { choices: [[1]], message: "a\0b" }, "message"],
      ["/run", { ...run, argv: ["a\0b"] }, "argv.0"],
      ["/run", { ...run, project: "\udc00" }, "project"],
      ["/run", { ...run, env: { X: "\0" } }, "env.X"],
    ];
    for (const [to, body, place] of table) {
      const reply = await call(project, "POST", to, { body });
      assert.equal(reply.status, 422, `${to} ${place}: ${reply.text}`);
      const { error } = reply.json<Refusal>();
      assert.match(error.message, /NUL character|half a character/);
      assert.ok(error.message.startsWith(place), error.message);
    }
    const hook = { hook_event_name: "SessionStart", session_id: "s\0\ud800", cwd: "/" };
    assert.equal((await call(project, "POST", "/hooks/session", { body: hook })).status, 200);
    assert.equal((await call(project, "GET", "/decisions?project=a%00b")).status, 422);
    await project.run("daemon", "stop");
    const { code, stderr } = await project.run("daemon", "start");
    assert.deepEqual([code, stderr], [0, ""]);
    const events = (await call(project, "GET", `/decisions/${id}/events`)).json<{ events: unknown[] }>();
    assert.equal(events.events.length, 1);
  });

  also("is refused in a config file by the setting's name", async () => {
    const project = await running();
    project.write({ ".oj/config.toml": '[project]\nname = "a\\u0000b"\n' });
    const { code, stderr } = await project.run("decision", "request", "--prompt", "x", "--option", "a");
    assert.equal(code, 2, stderr);
    assert.match(stderr, /project\.name contains a NUL character/);
  });
});

describe("an event stream that asks for events beyond the end", () => {
  it("is told where the end is, and resumes there", async () => {
    const project = await running();
    await call(project, "POST", "/decisions", { body: question(project, "One?") });
    const { seq } = (await call(project, "GET", "/health")).json<{ seq: number }>();
    for (const [to, headers] of [
      [`/events?after=${seq + 1}`, {}],
      ["/events", { "last-event-id": String(seq + 1000) }],
    ] as const) {
      const reply = await call(project, "GET", to, { headers });
      assert.equal(reply.status, 410, reply.text);
      const { error } = reply.json<Refusal & { error: { details: { last: number } } }>();
      assert.match(error.message, new RegExp(`the last event is ${seq}`));
      assert.equal(error.details.last, seq);
    }
  });
});

describe("a step with a variable too long for any program", () => {
  also("fails with the reason", async () => {
    const project = await running();
    const env = { ...project.env, BIG: "x".repeat(190_000) };
    const body = { cwd: project.dir, project: "shop", command: "say", argv: ["x"], named: {}, env };
    const reply = await call(project, "POST", "/run", { body });
    assert.equal(reply.status, 200, reply.text);
    const { job_id } = reply.json<{ job_id: string }>();
    const job = await project.until(async () => {
      const view = (await call(project, "GET", `/jobs/${job_id}`)).json<{ status: string; error: string }>();
      return view.status === "failed" ? view : null;
    }, "the end of the job");
    assert.match(job.error, /can't be started: its values are too long/);
  });
});

describe("a token for MCP", () => {
  also("can't block work in another project", async () => {
    const project = await running();
    const bank = path.join(path.dirname(project.dir), "bank");
    fs.mkdirSync(path.join(bank, ".oj/runbooks"), { recursive: true });
    fs.writeFileSync(path.join(bank, ".oj/runbooks/a.hcl"), RUNBOOK);
    const start = async (cwd: string, name: string) => {
      const body = { cwd, project: name, command: "wait", argv: [], named: {}, env: project.env };
      return (await call(project, "POST", "/run", { body })).json<{ job_id: string }>().job_id;
    };
    const [own, foreign] = [await start(project.dir, "shop"), await start(bank, "bank")];
    const { token, url } = await tokenFor(project, "robot");
    const mcp = await connected(atUrl(url, { authorization: `Bearer ${token}` }));
    const said = await mcp.refused("request_decision", { ...yesOrNo("Stop it?"), blocks: [foreign] });
    assert.match(said, new RegExp(`${foreign} is not a job`));
    await mcp.ask("request_decision", { ...yesOrNo("Wait?"), blocks: [own] });
    const view = (await call(project, "GET", `/jobs/${foreign}`)).json<{ blocked_by?: unknown[] }>();
    assert.deepEqual(view.blocked_by ?? [], []);
  });
});
