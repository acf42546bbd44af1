/** The daemon on a real PostgreSQL, as people and programs see it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Postgres } from "../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../fakes/servers/postgres.ts";
import { killDaemon } from "./support/http.ts";
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
    assert.equal(server.sql(url, "SELECT string_agg(seq::text, ',' ORDER BY seq) FROM events"), "1,2,3");
    assert.equal(server.sql(url, "SELECT body::jsonb ->> 'id' FROM events WHERE seq = 1"), id);
    assert.ok(!fs.existsSync(path.join(project.stateDir, "events.db")));
  });

  it("has the database to itself, and lets nothing know its password", async () => {
    const url = (await server.database()).replace("//oj@", "//oj:s3cret@");
    const one = await on(url, { OJ_MACHINE: "anvil" });
    const id = await ask(one, "Whose?");
    const second = await refusal(await on(url, { OJ_MACHINE: "bellows" }), "decision", "list");
    assert.deepEqual([second.code, second.exit], ["store.taken", 3]);
    assert.match(second.message, /the store of the machine anvil/);
    assert.deepEqual(await pending(one), [id]);
    one.write({ ".oj/runbooks/env.hcl": RUNBOOK });
    assert.equal((await one.run("run", "env")).code, 0);
    const file = path.join(one.dir, "inherited");
    await one.until(() => Promise.resolve(fs.existsSync(file)), "what the step inherited");
    assert.equal(fs.readFileSync(file, "utf8").trim(), url.replace(":s3cret", ""));
  });

  it("refuses what it can't write, shows what it knows, and goes on once the database is back", async () => {
    const url = await server.database();
    const project = await on(url);
    const id = await ask(project, "Still there?");
    await server.kill();
    try {
      const away = await refusal(project, "decision", "resolve", id, "1");
      assert.deepEqual([away.code, away.exit], ["store.unreachable", 3]);
      assert.match(away.message, /PostgreSQL at 127\.0\.0\.1/);
      assert.deepEqual(await pending(project), [id]);
    } finally {
      await server.start();
    }
    assert.equal((await project.run("decision", "resolve", id, "1")).code, 0);
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
