/** The daemon on a real PostgreSQL, as people and programs see it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Postgres } from "../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../fakes/servers/postgres.ts";
import { call, killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Refusal } from "./support/views.ts";

const why = whyNoPostgres();
if (why !== null) process.stderr.write(`postgres.test.ts is skipped: ${why}\n`);

let server: Postgres;
beforeAll(async () => {
  if (why === null) server = await postgres();
});
afterAll(() => server?.close());

const on = (url: string, env: Record<string, string> = {}) =>
  tempProject({}, { env: { OJ_STORE_URL: url, ...env } });

async function ask(project: Project, prompt: string): Promise<string> {
  const asked = await project.run(
    "decision",
    "request",
    "--prompt",
    prompt,
    "--option",
    "Yes",
    "--option",
    "No",
  );
  assert.equal(asked.code, 0, asked.stderr);
  return asked.stdout.split("\n")[0] ?? "";
}

/** The step writes what it knows of the store. */
const RUNBOOK = `
command "env" {
  run = { job = "env" }
}

job "env" {
  step "tell" {
    run = "echo $OJ_STORE_URL > inherited.part && mv inherited.part inherited"
  }
}
`;

const SHIP = `
command "ship" {
  run = { job = "ship" }
}

job "ship" {
  step "go" {
    decision {
      prompt = "Ship it?"
      option "yes" { recommended = true }
      option "no" { action = "cancel" }
    }
  }
  step "ship" {
    run = "echo $OJ_STATE_DIR >> ran"
  }
}
`;

const running = async (project: Project) =>
  (await project.json<{ status: string }[]>("job", "list")).filter((it) => /running|waiting/.test(it.status));

const pending = async (project: Project) =>
  (await project.json<{ id: string }[]>("decision", "list")).map((it) => it.id);

async function refusal(project: Project, ...args: string[]): Promise<Refusal["error"] & { exit: number }> {
  const { stdout, stderr, code } = await project.run(...args, "-o", "json");
  assert.notEqual(code, 0, stdout);
  return { ...(JSON.parse(stdout || stderr) as Refusal).error, exit: code };
}

describe.skipIf(why !== null)("a daemon on PostgreSQL", () => {
  it("keeps everything there, and nothing of the log in its folder", async () => {
    const url = await server.database();
    const project = await on(url);
    const id = await ask(project, "Keep this?");
    assert.equal((await project.run("decision", "resolve", id, "1")).code, 0);
    const other = await ask(project, "And this?");
    await killDaemon(project);
    assert.deepEqual(await pending(project), [other]);
    assert.equal(server.sql(url, "SELECT string_agg(seq::text, ',' ORDER BY seq) FROM events"), "1,2,3,4");
    assert.equal(server.sql(url, "SELECT body::jsonb ->> 'id' FROM events WHERE seq = 2"), id);
    assert.ok(!fs.existsSync(path.join(project.stateDir, "events.db")));
  });

  also("lets neither agents nor steps know its password", async () => {
    const url = (await server.database()).replace("//oj@", "//oj:s3cret@");
    const project = await on(url);
    project.write({ ".oj/runbooks/env.hcl": RUNBOOK });
    assert.equal((await project.run("run", "env")).code, 0);
    const file = path.join(project.dir, "inherited");
    await project.until(() => Promise.resolve(fs.existsSync(file)), "what the step inherited");
    assert.equal(fs.readFileSync(file, "utf8").trim(), url.replace(":s3cret", ""));
  });

  it("shares its inbox with another one: one answer counts, and the other is told whose", async () => {
    const url = await server.database();
    const [a, b] = [await on(url, { OJ_USER: "ana" }), await on(url, { OJ_USER: "bob" })];
    const id = await ask(a, "Who is first?");
    await b.until(async () => (await pending(b)).includes(id), "the question at the other daemon");
    assert.equal((await b.run("decision", "resolve", id, "2")).code, 0);
    const late = await refusal(a, "decision", "resolve", id, "1");
    assert.deepEqual([late.code, late.exit], ["decision.already-resolved", 1]);
    assert.match(late.message, /already answered: No, by bob/);
    const names = (await b.json<{ name: string }[]>("machine", "list")).map((it) => it.name);
    assert.deepEqual(names, [os.hostname(), `${os.hostname()}-2`]);
  });

  also("takes a token of a person that was made elsewhere, until it is revoked there", async () => {
    const url = await server.database();
    const [a, b] = [await on(url, { OJ_MACHINE: "anvil" }), await on(url, { OJ_MACHINE: "bellows" })];
    await a.json("invite", "ana");
    await a.json("role", "grant", "ana", "viewer");
    const { id, token } = await a.json<{ id: string; token: string }>("token", "create", "--for", "ana");
    await b.json("status");
    const headers = { "x-oj-remote": "1", authorization: `Bearer ${token}` };
    const status = async () => (await call(b, "GET", "/decisions", { headers })).status;
    await b.until(async () => (await status()) === 200, "the token is known elsewhere");
    await a.json("token", "revoke", id);
    await b.until(async () => (await status()) === 401, "the token is refused elsewhere");
  });

  also("ends a call that waits when its token is revoked on another machine", async () => {
    const url = await server.database();
    const [a, b] = [await on(url), await on(url)];
    const id = await ask(a, "Deploy?");
    await b.json("invite", "ben");
    await b.json("role", "grant", "ben", "viewer");
    const made = await b.json<{ id: string; token: string }>("token", "create", "--for", "ben");
    const headers = { authorization: `Bearer ${made.token}` };
    await a.until(async () => (await call(a, "GET", "/me", { headers })).status === 200, "the token there");
    const waits = call(a, "POST", `/decisions/${id}/await`, { headers, body: {} });
    const [reply] = await Promise.all([
      waits,
      call(a, "GET", "/me", { headers }).then(() => b.json("token", "revoke", made.id)),
    ]);
    assert.deepEqual([reply.status, reply.json<Refusal>().error.code], [401, "login.required"]);
  });

  also("runs each step of a job at its home alone, wherever the answer is given", async () => {
    const url = await server.database();
    const [a, b] = [await on(url, { OJ_MACHINE: "anvil" }), await on(url, { OJ_MACHINE: "bellows" })];
    await pending(b);
    a.write({ ".oj/runbooks/ship.hcl": SHIP });
    for (const choice of ["1", "1", "2"]) {
      assert.equal((await a.run("run", "ship")).code, 0);
      const asked = async () => (await b.json<{ id: string; machine: string }[]>("decision", "list")).at(0);
      const decision = (await b.until(asked, "the question at the other daemon")) as {
        id: string;
        machine: string;
      };
      assert.equal(decision.machine, "anvil");
      assert.equal((await b.run("decision", "resolve", decision.id, choice)).code, 0);
      await b.until(async () => (await running(b)).length === 0, "the end of the job");
    }
    const lines = fs.readFileSync(path.join(a.dir, "ran"), "utf8").trim().split("\n");
    assert.deepEqual(
      lines.map((it) => it.replace(a.stateDir, "anvil")),
      ["anvil", "anvil"],
    );
    const [job] = await b.json<{ id: string }[]>("job", "list");
    const elsewhere = await refusal(b, "job", "logs", job?.id ?? "");
    assert.deepEqual([elsewhere.code, elsewhere.exit], ["machine.elsewhere", 1]);
  });

  also("forgets a machine that won't come back: its work is cancelled, and it writes no more", async () => {
    const url = await server.database();
    const [a, b] = [await on(url, { OJ_MACHINE: "anvil" }), await on(url, { OJ_MACHINE: "bellows" })];
    a.write({ ".oj/runbooks/ship.hcl": SHIP });
    assert.equal((await a.run("run", "ship")).code, 0);
    await b.until(async () => (await pending(b)).length === 1, "its question");
    const own = await ask(a, "Mine?");
    const early = await refusal(b, "machine", "forget", "anvil");
    assert.deepEqual([early.code, early.exit], ["machine.present", 1]);
    const wrong = await refusal(b, "machine", "forget", "anvill");
    assert.deepEqual([wrong.code, wrong.hint], ["machine.not-found", "did you mean anvil?"]);
    await killDaemon(a);
    server.sql(url, "UPDATE daemons SET last_seen = now() - interval '1 hour' WHERE name = 'anvil'");
    const forgotten = await b.run("machine", "forget", "anvil");
    assert.equal(forgotten.code, 0, forgotten.stderr);
    const [job] = await b.json<{ status: string; reason: string }[]>("job", "list");
    assert.deepEqual([job?.status, job?.reason], ["cancelled", "the machine anvil was forgotten"]);
    assert.deepEqual(await pending(b), [own]);
    assert.deepEqual(
      (await b.json<{ name: string }[]>("machine", "list")).map((it) => it.name),
      ["bellows"],
    );
    const back = await refusal(a, "decision", "list");
    assert.deepEqual([back.code, back.exit], ["store.fenced", 3]);
    assert.match(back.message, /forgotten/);
  });

  it("refuses what it can't write, shows what it knows, and goes on once the database is back", async () => {
    const url = await server.database();
    const project = await on(url);
    const id = await ask(project, "Still there?");
    const said = async (...words: string[]) => (await project.run(...words)).stdout;
    const AS_OF = /^as of \d\d:\d\d: PostgreSQL can't be reached$/m;
    assert.doesNotMatch(await said("decision", "list"), AS_OF);
    await server.kill();
    try {
      const dated = async () => AS_OF.test(await said("decision", "list"));
      await project.until(dated, "when that was");
      for (const words of [["status"], ["machine", "list"], ["decision", "list", "--since", "1d"]])
        assert.match(await said(...words), AS_OF);
      for (const words of [
        ["decision", "list", "-o", "csv"],
        ["decision", "show", id],
      ])
        assert.doesNotMatch(await said(...words), AS_OF);
      const away = await refusal(project, "decision", "resolve", id, "1");
      assert.deepEqual([away.code, away.exit], ["store.unreachable", 3]);
      assert.match(away.message, /PostgreSQL at 127\.0\.0\.1/);
      assert.deepEqual(await pending(project), [id]);
    } finally {
      await server.start();
    }
    assert.equal((await project.run("decision", "resolve", id, "1")).code, 0);
    await project.until(async () => !AS_OF.test(await said("decision", "list")), "that it is back");
  });

  it("refuses to start without the database, or as a copy of another one's folder", async () => {
    const url = await server.database();
    const original = await on(url);
    await ask(original, "Whose?");
    await original.run("daemon", "stop");
    const copy = await on(url);
    fs.mkdirSync(copy.stateDir, { recursive: true });
    fs.cpSync(path.join(original.stateDir, "machine.json"), path.join(copy.stateDir, "machine.json"));
    assert.equal((await pending(copy)).length, 1);
    const fenced = await refusal(original, "decision", "list");
    assert.deepEqual([fenced.code, fenced.exit], ["store.fenced", 3]);
    assert.ok(fenced.message.includes(original.stateDir), fenced.message);
    const nowhere = await on("postgres://oj:s3cret@127.0.0.1:1/none");
    const away = await refusal(nowhere, "decision", "list");
    assert.deepEqual([away.code, away.exit], ["store.unreachable", 3]);
    assert.ok(!JSON.stringify(away).includes("s3cret"));
    assert.ok(!fs.existsSync(path.join(nowhere.stateDir, "events.db")), "never SQLite in its place");
  });
});
