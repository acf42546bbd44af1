/**
 * What the tests of a team's faults share. `npm test` runs them with few rounds and no limits on time; `npm run
 * test:team` as often as the specification says, and with its limits.
 */
import assert from "node:assert/strict";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Postgres } from "../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../fakes/servers/postgres.ts";
import type { Reply } from "../specs/support/http.ts";
import { call, isGone, question } from "../specs/support/http.ts";
import type { Project } from "../specs/support/project.ts";
import { tempProject } from "../specs/support/project.ts";

const FULL = process.env.OJ_TEAM === "full";
export const rounds = (few: number, all: number) => (FULL ? all : few);

export const whyNot = whyNoPostgres();
if (whyNot !== null) process.stderr.write(`tests of a team's faults are skipped: ${whyNot}\n`);

/** A limit that the specification names. A machine that is busy with other tests proves nothing about it. */
export function within(limitMs: number, taken: readonly number[], what: string): void {
  const longest = Math.max(0, ...taken);
  if (!FULL) return;
  process.stdout.write(
    `  ${what}: ${Math.round(longest)} ms at most, of ${taken.length} (limit ${limitMs})\n`,
  );
  assert.ok(longest < limitMs, `${what} took ${Math.round(longest)} ms`);
}

export async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  into.push(performance.now() - began);
  return done;
}

/** The server that this file's tests share. */
export function sharedServer(): () => Postgres {
  let server: Postgres | null = null;
  beforeAll(async () => {
    if (whyNot === null) server = await postgres();
  });
  afterAll(() => server?.close());
  return () => server as Postgres;
}

/** A machine: a daemon of its own, started. */
export async function machine(
  url: string,
  name: string,
  env: Record<string, string> = {},
  prepare: (project: Project) => void = () => {},
): Promise<Project> {
  const project = await tempProject({}, { env: { OJ_STORE_URL: url, OJ_MACHINE: name, ...env } });
  prepare(project);
  await up(project);
  return project;
}

export async function up(project: Project): Promise<void> {
  const { code, stderr } = await project.run("daemon", "start");
  assert.equal(code, 0, stderr);
}

export async function kill(project: Project, pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  await project.until(() => isGone(pid), "the end of the daemon");
}

export async function pidOf(project: Project): Promise<number> {
  return (await project.daemonPid()) ?? assert.fail("no daemon runs");
}

export const ask = (project: Project, prompt: string): Promise<Reply> =>
  call(project, "POST", "/decisions", { body: question(project, prompt) });

export const answer = (project: Project, id: string, choice = 1): Promise<Reply> =>
  call(project, "POST", `/decisions/${id}/resolve`, { body: { choices: [[choice]] } });

/** Of a session that oj did not start; its hook stays open until the end of the test. */
export async function approval(project: Project): Promise<string> {
  const body = {
    session_id: "s1",
    cwd: project.dir,
    hook_event_name: "PermissionRequest",
    tool_name: "Bash",
    tool_input: { command: "npm test" },
  };
  const asking = call(project, "POST", "/hooks/session", { body }).catch(() => null); // open until the end
  onTestFinished(async () => void (await asking));
  const pending = async () =>
    (await project.json<{ id: string; source: string }[]>("decision", "list")).find(
      (it) => it.source === "approval",
    );
  return (await project.until(pending, "an approval")).id;
}

/** Asks, and returns the id. */
export async function asked(project: Project, prompt: string): Promise<string> {
  const reply = await ask(project, prompt);
  assert.ok(reply.status < 300, reply.text);
  return reply.json<{ id: string }>().id;
}

/** Asks until it is accepted, and returns the prompt that was. Each try has one of its own: a refused one may be there. */
export async function askedSoon(project: Project, name: string): Promise<string> {
  for (let n = 0; ; n++) {
    const prompt = `${name} ${n}?`;
    const reply = await ask(project, prompt).catch(() => null);
    if (reply !== null && reply.status < 300) return prompt;
    assert.ok(n < 60, `not accepted: ${reply?.text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Somebody who asks one question after the other, whatever becomes of the daemon. */
export interface Asker {
  /** What was acknowledged, by its prompt. */
  acknowledged: string[];
  stop(): Promise<void>;
}

export function startAsker(project: Project, name: string): Asker {
  const acknowledged: string[] = [];
  let isStopped = false;
  const running = (async () => {
    for (let n = 0; !isStopped; n++) {
      const prompt = `${name} ${n}?`;
      const reply = await ask(project, prompt).catch(() => null); // it may be dead just now
      if (reply !== null && reply.status < 300) acknowledged.push(prompt);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** The prompts in the log, in order; refuses a log with a gap. */
export function promptsIn(server: Postgres, url: string): string[] {
  const gaps = server.sql(url, "SELECT (SELECT seq FROM head) - count(*) FROM events");
  assert.equal(gaps, "0", "the log has gaps");
  const text = `
    SELECT substring(body FROM '"(?:prompt|title)":"([^"]*)"') FROM events
    WHERE body::jsonb ->> 'type' = 'decision:created' ORDER BY seq`;
  return server.sql(url, text).split("\n");
}

export function assertOnce(prompts: readonly string[], acknowledged: readonly string[]): void {
  assert.equal(new Set(prompts).size, prompts.length, "something is in the log twice");
  const there = new Set(prompts);
  for (const it of acknowledged) assert.ok(there.has(it), `${it} was acknowledged and is not there`);
}

/** The same state at both, once they have heard of each other. */
export async function agree(a: Project, b: Project): Promise<void> {
  const pending = async (it: Project) =>
    (await call(it, "GET", "/decisions"))
      .json<{ id: string }[]>()
      .map(({ id }) => id)
      .sort();
  await a.until(
    async () => JSON.stringify(await pending(a)) === JSON.stringify(await pending(b)),
    "the same inbox on both machines",
  );
}
