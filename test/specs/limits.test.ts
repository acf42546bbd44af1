/** The limits that docs/api.md names, each at its limit and one past it, through the socket. */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, it } from "vitest";
import type { Reply } from "./support/http.ts";
import { call, socketOf } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

const x = (count: number) => "x".repeat(count);
const deep = (depth: number): unknown => (depth === 0 ? "x" : [deep(depth - 1)]);

async function started(config = ""): Promise<Project> {
  const project = await tempProject();
  const folder = path.join(project.home, ".config/oj");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "config.toml"), config);
  assert.equal((await project.run("daemon", "start")).code, 0);
  return project;
}

const codeOf = (reply: Reply) =>
  reply.status === 200 ? "200" : `${reply.status} ${reply.json<{ error: { code: string } }>().error.code}`;

describe("the limits of the API", () => {
  let project: Project;
  const ask = (more: object) =>
    call(project, "POST", "/decisions", {
      body: {
        ...{ project: "shop", cwd: project.dir, as: "bot", prompt: "Well?", options: [{ label: "Yes" }] },
        ...more,
      },
    });
  const answer = async (more: object) => {
    const { id } = (await ask({})).json<{ id: string }>();
    return call(project, "POST", `/decisions/${id}/resolve`, { body: { choices: [[1]], ...more } });
  };
  const send = (to: string, body: object) => call(project, "POST", to, { body });

  /** Something of that size: whether it is accepted, or how it is refused. */
  type Row = [what: string, limit: number, of: (size: number) => Promise<Reply>, over: string, at?: string];
  const ROWS: Row[] = [
    ["a prompt", 10_000, (size) => ask({ prompt: x(size) }), "422 decision.invalid"],
    [
      "a prompt, as a text",
      200_000,
      (size) => ask({ prompt: x(size) }),
      "422 request.invalid",
      "422 decision.invalid",
    ],
    ["a label", 500, (size) => ask({ options: [{ label: x(size) }] }), "422 decision.invalid"],
    [
      "a description",
      200_000,
      (size) => ask({ options: [{ label: "Yes", description: x(size) }] }),
      "422 request.invalid",
    ],
    [
      "options",
      4,
      (size) => ask({ options: Array.from({ length: size }, (_, n) => ({ label: `${n}` })) }),
      "422 decision.invalid",
    ],
    ["a context that is text", 200_000, (size) => ask({ context: x(size) }), "422 request.invalid"],
    // {\n  "a": "…"\n}
    [
      "a context that is an object",
      200_000,
      (size) => ask({ context: { a: x(size - 13) } }),
      "422 request.invalid",
    ],
    [
      "a context that is a list",
      200_000,
      // [\n  "…",\n  … "…"\n]: seven characters for an entry of one, less the last comma
      (size) => ask({ context: [...Array.from({ length: 1000 }, () => "x"), x(size - 7 * 1000 - 2 - 6)] }),
      "422 request.invalid",
    ],
    ["a context's depth", 100, (size) => ask({ context: deep(size) }), "422 request.invalid"],
    ["a request_key", 100, (size) => ask({ request_key: x(size) }), "422 request.invalid"],
    ["a name", 200, (size) => ask({ as: x(size) }), "422 request.invalid"],
    ["a project", 500, (size) => ask({ project: x(size) }), "422 request.invalid"],
    [
      "a folder",
      4096,
      (size) => ask({ cwd: `/${x(size - 1)}` }),
      "422 request.invalid",
      "422 config.invalid",
    ],
    [
      "what is blocked",
      100,
      (size) => ask({ blocks: Array.from({ length: size }, (_, n) => `P-${n}`) }),
      "422 request.invalid",
    ],
    ["what is blocked, one of it", 100, (size) => ask({ blocks: [x(size)] }), "422 request.invalid"],
    ["a message", 200_000, (size) => answer({ message: x(size) }), "422 request.invalid"],
    ["an answer in words", 200_000, (size) => answer({ choices: [], text: x(size) }), "422 request.invalid"],
    ["one of several texts", 200_000, (size) => answer({ texts: [x(size)] }), "422 request.invalid"],
    [
      "a reason",
      200_000,
      async (size) => {
        const { id } = (await ask({})).json<{ id: string }>();
        return send(`/decisions/${id}/cancel`, { reason: x(size) });
      },
      "422 request.invalid",
    ],
    [
      "an id",
      100,
      (size) => call(project, "GET", `/decisions/${x(size)}`),
      "422 request.invalid",
      "404 decision.not-found",
    ],
    [
      "ids",
      1000,
      (size) => send("/decisions/resolve", { ids: Array(size).fill("dec-none"), choices: [[1]] }),
      "422 request.invalid",
    ],
    [
      "words for an agent",
      100_000,
      (size) => send("/agents/agt-none/send", { text: x(size) }),
      "422 request.invalid",
      "404 agent.not-found",
    ],
    [
      "arguments",
      1000,
      (size) =>
        send("/run", { cwd: project.dir, project: "shop", command: "none", argv: Array(size).fill("a") }),
      "422 request.invalid",
      "404 command.not-found",
    ],
    [
      "a text for a session",
      4000,
      (size) => send("/inject", { project: "shop", as: "bot", text: x(size) }),
      "413 request.too-large",
    ],
    [
      "a body",
      1024 * 1024,
      (size) => {
        const body = { project: "shop", cwd: "/", prompt: "", more: "" };
        return send("/decisions", { ...body, more: x(size - JSON.stringify(body).length) });
      },
      "413 request.too-large",
      "422 request.invalid",
    ],
  ];

  it("are as documented: a value at the limit is accepted, one past it is refused", async () => {
    project = await started("[limits]\nrequests_per_minute = 100000\n");
    const found: unknown[] = [];
    for (const [what, limit, of] of ROWS)
      found.push([what, limit, codeOf(await of(limit)), codeOf(await of(limit + 1))]);
    assert.deepEqual(
      found,
      ROWS.map(([what, limit, , over, at = "200"]) => [what, limit, at, over]),
    );
    assert.equal(codeOf(await ask({ request_key: x(16) })), "200");
    assert.equal(codeOf(await ask({ request_key: x(15) })), "422 request.invalid");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const reply = await call(project, "POST", "/decisions", { body: "prompt=x", headers: form });
    assert.equal(codeOf(reply), "415 request.not-json");
    const large = await ask({ context: x(900_000) });
    assert.match(large.text, /context.*at most 200000 characters/);
    assert.deepEqual(await project.json("job", "list"), []);
  });
});

describe("the limits that a person can set", () => {
  it("allow exactly that many requests a minute from one name", async () => {
    const project = await started("[limits]\nrequests_per_minute = 7\n");
    const body = {
      project: "shop",
      cwd: project.dir,
      as: "bot",
      prompt: "Well?",
      options: [{ label: "Yes" }],
    };
    const codes: string[] = [];
    for (let n = 0; n < 8; n++) codes.push(codeOf(await call(project, "POST", "/decisions", { body })));
    assert.deepEqual(codes, [...Array(7).fill("200"), "429 request.too-many"]);
  });

  it("allow exactly that many streams at once, half of them for one caller", async () => {
    const project = await started("[limits]\nstreams = 6\n");
    const open = () =>
      new Promise<http.IncomingMessage>((resolve, reject) => {
        http.get({ socketPath: socketOf(project), path: "/events" }, resolve).on("error", reject);
      });
    const all: http.IncomingMessage[] = [];
    for (let n = 0; n < 4; n++) all.push(await open());
    assert.deepEqual(
      all.map((it) => it.statusCode),
      [200, 200, 200, 429],
    );
    for (const it of all) it.destroy();
  });
});
