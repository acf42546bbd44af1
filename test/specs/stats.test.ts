import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Figures {
  asked: number;
  answered: number;
  expired: number;
  withdrawn: number;
  dismissed: number;
  pending: number;
  times: Record<string, { count: number; median_ms: number | null }>;
  by_person: { name: string; answered: number }[];
  by_channel: { name: string; answered: number }[];
  recurring: { count: number; title: string }[];
}

const RUNBOOK = `
command "ship" { run = { job = "ship" } }
job "ship" { step "ask" { decision { prompt = "Ship it?" option "yes" {} option "no" {} } } }`;

/** Four requests and a job's question: answered twice, dismissed, withdrawn, pending. */
async function busy(): Promise<Project> {
  const project = await tempProject({ ".oj/runbooks/ship.hcl": RUNBOOK });
  const ask = async (prompt: string) => {
    const options = ["--option", "Yes", "--option", "No"];
    return (await project.json<{ id: string }>("decision", "request", "--prompt", prompt, ...options)).id;
  };
  const pending = async () => (await project.json<unknown[]>("decision", "list")).length;
  const first = await ask("Deploy build 1?");
  const second = await ask("Deploy build 2?");
  const third = await ask("Delete it?");
  await ask("Who pays?");
  await project.run("decision", "show", first);
  await project.run("decision", "resolve", first, "1");
  await project.run("decision", "resolve", second, "2");
  await project.run("decision", "resolve", third, "dismiss");
  const { job_id } = await project.json<{ job_id: string }>("run", "ship");
  await project.until(async () => (await pending()) === 2);
  await project.run("job", "cancel", job_id);
  await project.until(async () => (await pending()) === 1);
  return project;
}

const sumOf = (text: string, name: string) =>
  text
    .split("\n")
    .filter((it) => it.startsWith(`${name}{`))
    .reduce((sum, it) => sum + Number(it.split(" ").at(-1)), 0);

describe("how it is going", () => {
  it("is told by oj stats in figures and in words, and by /metrics on the socket and on the port", async () => {
    const project = await busy();
    await figures(project);
    await spans(project);
    await words(project);
    await metrics(project);
  });
});

async function figures(project: Project): Promise<void> {
  const found = await project.json<Figures>("stats");
  const { asked, answered, expired, withdrawn, dismissed, pending } = found;
  assert.deepEqual([asked, answered, expired, withdrawn, dismissed, pending], [5, 2, 0, 1, 1, 1]);
  assert.equal(found.times.answer?.count, 2);
  assert.equal(found.times.first_look?.count, 1, "oj decision show is a look");
  const people = found.by_person.map((it) => it.answered);
  assert.deepEqual(people, [2]);
  const channels = found.by_channel.map((it) => [it.name, it.answered]);
  assert.deepEqual(channels, [["cli", 2]]);
  const again = found.recurring.map((it) => [it.count, it.title]);
  assert.deepEqual(again, [[2, "Deploy build 2?"]]);
}

async function spans(project: Project): Promise<void> {
  const none = await project.json<Figures>("stats", "--until", "2020-01-01");
  assert.deepEqual([none.asked, none.answered], [0, 0]);
  assert.equal((await project.json<Figures>("stats", "--since", "1h")).asked, 5);
  assert.equal((await project.json<Figures>("stats", "--project", "elsewhere")).asked, 0);
  assert.match((await project.run("stats", "--by", "persn")).stderr, /did you mean --by person\?/);
}

async function words(project: Project): Promise<void> {
  const { stdout } = await project.run("stats");
  assert.match(stdout, /^asked +5\nanswered +2\n/);
  assert.match(stdout, /\npending now +1, the oldest for /);
  assert.match(stdout, /\nkeeps coming back\n2× +Deploy build 2\?\n/);
  const bySource = await project.run("stats", "--by", "source");
  assert.match(bySource.stdout, /^SOURCE +ASKED +ANSWERED/);
  assert.match(bySource.stdout, /\nrequest +4 +2 /);
}

async function metrics(project: Project): Promise<void> {
  const { port } = await project.json<{ port: number }>("daemon", "status");
  const socket = await call(project, "GET", "/metrics");
  const page = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  for (const text of [socket.text, await page.text()]) {
    assert.equal(sumOf(text, "oj_decisions_total"), 5);
    assert.equal(sumOf(text, "oj_decisions_pending"), 1);
    assert.equal(sumOf(text, "oj_decisions_settled_total"), 4);
    assert.match(text, /^oj_answer_seconds_count 2$/m);
    for (const line of text.split("\n")) assert.match(line, /^$|^# |^oj_/);
  }
  const status = async (headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status;
  assert.equal(await status({ origin: "https://evil.example" }), 403, "another page");
  assert.equal(await status({ "sec-fetch-site": "cross-site" }), 403);
  assert.equal(await status({ "x-forwarded-for": "203.0.113.7" }), 403, "a proxy sends it on");
}
