import assert from "node:assert/strict";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { writeFirst } from "../fakes/write-first.ts";
import type { Reply } from "./support/http.ts";
import { call, question, socketOf } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Refusal } from "./support/views.ts";

interface Health {
  pid: number;
  seq: number;
  pending: number;
}

async function running(): Promise<Project> {
  const project = await tempProject();
  await project.run("daemon", "start");
  return project;
}

const health = async (project: Project) => (await call(project, "GET", "/health")).json<Health>();

function refused(reply: Reply, status: number, code: string, message: RegExp): void {
  assert.equal(reply.status, status, reply.text);
  const { error } = reply.json<Refusal>();
  assert.equal(error.code, code);
  assert.match(error.message, message);
}

describe("a bad request body", () => {
  it("of 10 MB is refused, and the daemon keeps running", async () => {
    const project = await running();
    const before = await health(project);
    const body = { ...question(project, "x"), context: "x".repeat(10 * 1024 * 1024) };
    const reply = await call(project, "POST", "/decisions", { body });
    refused(reply, 413, "request.too-large", /larger than 1024 KB/);
    assert.deepEqual(await health(project).then(({ pid, seq }) => ({ pid, seq })), {
      pid: before.pid,
      seq: before.seq,
    });
  });

  also("of 10 MB without a length is refused too", async () => {
    const project = await running();
    const reply = await call(project, "POST", "/decisions", {
      body: Buffer.alloc(10 * 1024 * 1024, "x"),
      headers: { "transfer-encoding": "chunked" },
    });
    refused(reply, 413, "request.too-large", /larger than/);
    assert.equal((await health(project)).pending, 0);
  });

  it("of 10 MB gets a refusal that reaches a sender who reads only after sending everything, 20 times", async () => {
    const project = await running();
    const large = Buffer.alloc(10 * 1024 * 1024, "x");
    const head = ["POST /decisions HTTP/1.1", "host: oj", "content-type: application/json"];
    for (let n = 0; n < 20; n++) {
      const socket = net.connect(socketOf(project));
      const text = await writeFirst(socket, [...head, `content-length: ${large.length}`], large);
      assert.match(text, /^HTTP\/1\.1 413 [\s\S]*larger than 1024 KB/);
    }
  });

  it("with 10,000 options is refused, and the refusal names the limit", async () => {
    const project = await running();
    const options = Array.from({ length: 10_000 }, (_, n) => ({ label: `option ${n}` }));
    const reply = await call(project, "POST", "/decisions", { body: { ...question(project, "x"), options } });
    refused(reply, 422, "decision.invalid", /10000 options; at most 4 are allowed/);
    assert.equal((await health(project)).pending, 0);
  });

  also("with 10,000 options on the command line is refused the same way", async () => {
    const project = await running();
    const options = Array.from({ length: 10_000 }, (_, n) => ["--option", `o${n}`]).flat();
    const { code, stdout, stderr } = await project.run("decision", "request", "--prompt", "x", ...options);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, /^✗ .*10000 options; at most 4 are allowed/);
  });

  also("that is not UTF-8 is refused instead of being altered", async () => {
    const project = await running();
    const text = JSON.stringify(question(project, "caf@"));
    const body = Buffer.from(text);
    body[body.indexOf("@")] = 0xe9; // é in Latin-1
    refused(await call(project, "POST", "/decisions", { body }), 422, "request.invalid", /UTF-8/);
    assert.equal((await health(project)).pending, 0);
  });

  also(
    "that is not JSON, or not what the route takes, is refused with the place of the mistake",
    async () => {
      const project = await running();
      for (const body of ["{", "", "nope", '{"prompt": }', "\0"])
        refused(
          await call(project, "POST", "/decisions", { body }),
          422,
          "request.invalid",
          /the body is not JSON/,
        );
      const missing = await call(project, "POST", "/decisions", { body: { prompt: 7 } });
      refused(missing, 422, "request.invalid", /prompt: .*string.*options: /);
      const unknown = { ...question(project, "x"), nonsense: 1 };
      refused(
        await call(project, "POST", "/decisions", { body: unknown }),
        422,
        "request.invalid",
        /nonsense/,
      );
      for (const body of ["[]", "null", "7", '"x"'])
        refused(await call(project, "POST", "/decisions", { body }), 422, "request.invalid", /the body: /);
    },
  );

  it("nested absurdly deep is refused, and the daemon keeps running", async () => {
    const project = await running();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const body = JSON.stringify({ ...question(project, "x"), context: "@" }).replace('"@"', `{"a":${deep}}`);
    refused(await call(project, "POST", "/decisions", { body }), 422, "request.invalid", /nested/);
    const { pending } = await health(project);
    assert.equal(pending, 0);
  });

  also("of another content type is refused, and the refusal names the header to send", async () => {
    const project = await running();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      const body = JSON.stringify(question(project, "x"));
      const reply = await call(project, "POST", "/decisions", { body, headers: { "content-type": type } });
      refused(reply, 415, "request.not-json", /must be JSON/);
    }
    assert.equal((await health(project)).pending, 0);
  });

  also("with names that mean something to JavaScript is kept as is", async () => {
    const project = await running();
    const body = JSON.stringify({ ...question(project, "x"), context: "@" }).replace(
      '"@"',
      '{"__proto__":{"polluted":1},"constructor":"c"}',
    );
    const asked = await call(project, "POST", "/decisions", { body });
    assert.equal(asked.status, 200, asked.text);
    assert.match(asked.text, /"fields":\{"__proto__":\{"polluted":1\},"constructor":"c"\}/);
    const listed = await call(project, "GET", "/decisions");
    assert.match(listed.text, /"fields":\{"__proto__":\{"polluted":1\},"constructor":"c"\}/);
  });
});

describe("a request for a route that does not exist", () => {
  also("is refused with a pointer to the routes that do", async () => {
    const project = await running();
    const none: [string, string][] = [
      ["GET", "/nope"],
      ["POST", "/nope"],
      ["PUT", "/decisions"],
      ["PATCH", "/decisions/x"],
      ["DELETE", "/decisions/x"],
      ["GET", "/../../etc/passwd"],
      ["GET", "/decisions/x/resolve"],
    ];
    for (const [method, to] of none) {
      const sent = method === "GET" || method === "DELETE" ? {} : { body: {} };
      const reply = await call(project, method, to, sent);
      refused(reply, 404, "request.not-found", / is not a route$/);
      assert.equal(reply.json<Refusal>().error.hint, "see /openapi.json");
    }
  });

  also("changes nothing if it is a GET, whatever its query and headers say", async () => {
    const project = await running();
    const asked = await call(project, "POST", "/decisions", { body: question(project, "x") });
    const { id } = asked.json<{ id: string }>();
    const before = await health(project);
    const { paths } = (await call(project, "GET", "/openapi.json")).json<{
      paths: Record<string, Record<string, unknown>>;
    }>();
    assert.ok(Object.keys(paths).length > 10);
    for (const [to, methods] of Object.entries(paths)) {
      if (to === "/events") continue; // never ends
      const query = "?choices=[[1]]&message=m&kill=true&_method=POST&cwd=/tmp";
      const real = to.replace("{id}", id) + query;
      const reply = await call(project, "GET", real, { headers: { "x-http-method-override": "POST" } });
      if (!("get" in methods)) assert.equal(reply.status, 404, to);
    }
    const after = await health(project);
    assert.deepEqual([after.pid, after.seq, after.pending], [before.pid, before.seq, before.pending]);
  });

  it("is refused if its headers are too large; a user name in raw bytes is accepted", async () => {
    const project = await running();
    const headers = { "x-oj-user": "x".repeat(100_000) };
    const large = await call(project, "GET", "/health", { headers }).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    // the daemon may hang up before everything was sent
    if (large instanceof Error) assert.match(large.code ?? "", /EPIPE|ECONNRESET/);
    else assert.equal(large.status, 431);
    const odd = await call(project, "POST", "/decisions", {
      body: question(project, "x"),
      headers: { "x-oj-user": "%E9%zz" },
    });
    assert.equal(odd.status, 200, odd.text);
  });
});

describe("a client that never finishes its request", () => {
  it("keeps nobody else waiting", async () => {
    const project = await running();
    const begun = [
      "GET /heal",
      "POST /decisions HTTP/1.1\r\nhost: oj\r\ncontent-type: application/json\r\ncontent-le",
      'POST /decisions HTTP/1.1\r\nhost: oj\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"pro',
      "",
    ];
    const sockets = Array.from({ length: 200 }, (_, n) => {
      const socket = net.connect(socketOf(project));
      socket.on("error", () => undefined);
      socket.write(begun[n % begun.length] ?? "");
      return socket;
    });
    try {
      await Promise.all(sockets.map((it) => project.until(() => !it.connecting)));
      const { code, stdout } = await project.run("decision", "request", "--prompt", "x", "--option", "y: z");
      assert.equal(code, 0, stdout);
      assert.equal((await health(project)).pending, 1);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    const { code } = await project.run("daemon", "stop");
    assert.equal(code, 0);
  });

  also("does no harm with bytes that are not HTTP at all", async () => {
    const project = await running();
    const answer = await new Promise<string>((resolve) => {
      const socket = net.connect(socketOf(project));
      let text = "";
      socket.on("data", (part) => {
        text += part;
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
      socket.write(Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919) % 256)));
    });
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.equal((await health(project)).pending, 0);
  });
});

describe("a runbook that is not text", () => {
  it("is reported with its place, and the other files still run", async () => {
    const project = await tempProject({
      ".oj/runbooks/good.hcl": `command "hello" { run = "echo hi" }\n`,
    });
    const binary = Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256));
    fs.writeFileSync(path.join(project.dir, ".oj/runbooks/picture.hcl"), binary);
    const latin = Buffer.from(`command "caf\xe9" { run = "echo hi" }\n`, "latin1");
    fs.writeFileSync(path.join(project.dir, ".oj/runbooks/latin.hcl"), latin);
    const { stdout, stderr, code } = await project.run("runbook", "check");
    assert.equal(code, 1);
    const said = stdout + stderr;
    assert.match(said, /picture\.hcl:1:\d+/);
    assert.match(said, /latin\.hcl:1:\d+/);
    assert.ok(said.length < 20_000, `${said.length} characters`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
    assert.doesNotMatch(said, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    assert.equal((await project.run("run", "hello", "--wait")).code, 0);
  });
});
