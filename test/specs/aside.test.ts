/** Requests that whoever asks does not wait for: shown apart, and promoted once somebody waits, whatever dies meanwhile. */
import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "vitest";
import { also, few } from "../everything.ts";
import { call, killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  title: string;
  state: string;
  blocking: boolean;
  meanwhile: string | null;
  promoted: { reason: string } | null;
  count: number;
}

const OJ = `${process.execPath} ${path.join(import.meta.dirname, "../../dist/oj.cjs")}`;
const ASK = ["decision", "request", "--prompt", "Which logo?", "--option", "Round", "--option", "Square"];
const ASIDE = [...ASK, "--no-wait", "--meanwhile", "the footer"];
const HOLD = "until [ -e go ]; do sleep 0.02; done";
const runbook = `
command "asks" { run = { job = "asks" } }
job "asks" {
  step "a" {
    run = ${JSON.stringify(`${OJ} decision request --prompt "Which logo?" --option Round --no-wait > id; ${HOLD}; ${OJ} decision await $(cat id) > said`)}
  }
}`;

const shown = (project: Project, id: string) => project.json<Decision>("decision", "show", id);
const hook = (project: Project, hook_event_name: string) =>
  call(project, "POST", "/hooks/session?stops=true", {
    body: {
      session_id: "s1",
      cwd: project.dir,
      hook_event_name,
      prompt: "go",
      last_assistant_message: "Ok.",
    },
  });

/** It is promoted for this reason, and the daemon that is started after a crash knows it. */
async function untilPromoted(project: Project, id: string): Promise<string> {
  const { promoted } = await project.until(async () => {
    const decision = await shown(project, id);
    return decision.blocking ? decision : null;
  });
  await killDaemon(project);
  await project.run("daemon", "start");
  const after = await shown(project, id);
  assert.deepEqual([after.state, after.blocking, after.promoted], ["pending", true, promoted]);
  const events = await call(project, "GET", `/decisions/${id}/events`);
  assert.equal(events.text.split(`"decision:promoted"`).length, 2, "it is recorded once");
  return promoted?.reason ?? "";
}

/** Asks aside; the daemon dies, and it is still aside. */
async function askedAside(project: Project, ...more: string[]): Promise<string> {
  const { stdout, stderr, code } = await project.run(...ASIDE, ...more);
  const id = stdout.trim();
  assert.deepEqual(
    [code, stderr],
    [0, `  it blocks nothing yet; when nothing else is left: oj decision await ${id}\n`],
  );
  await killDaemon(project);
  await project.run("daemon", "start");
  const { blocking, meanwhile, promoted } = await shown(project, id);
  assert.deepEqual([blocking, meanwhile, promoted], [false, "the footer", null]);
  return id;
}

describe("a request that nobody waits for", () => {
  it("is shown apart from what blocks work, in every list, with what goes on meanwhile", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const id = await askedAside(project, "--as", "painter", "--urgency", "high");
    const other = (await project.run(...ASK, "--as", "builder")).stdout.trim();
    const list = await project.run("decision", "list");
    assert.match(
      list.stdout,
      new RegExp(
        `^ID.*\n${other} .*\n\nblocks nothing yet\nID.*\n${id} .*\n {2}${id} goes on meanwhile: the footer\n\n1 decision waiting for an answer: 1 medium; 1 more blocks nothing yet\n$`,
      ),
    );
    const ids = async (...flags: string[]) =>
      (await project.json<Decision[]>("decision", "list", ...flags)).map((it) => it.id);
    assert.deepEqual(await ids(), [other, id]);
    assert.deepEqual(await ids("--blocking"), [other]);
    assert.match(
      (await project.run("decision", "show", id)).stdout,
      /aside +goes on meanwhile: the footer\n/,
    );
    assert.match((await project.run("status")).stdout, /1 decision pending, 1 asked aside/);
    assert.match((await project.run("status")).stdout, /Which logo\? +\(goes on meanwhile: the footer\)/);
    assert.match(
      (await project.run("decision", "dashboard")).stdout,
      /^1 decision waiting for an answer\n[\s\S]*\nblocks nothing yet {2}1\n/,
    );
    await project.run("decision", "resolve", id, "1");
    const { stdout } = await project.run("inject", "drain", "--as", "painter");
    assert.match(stdout, /\(Which logo\?\) was answered by ana: Round\./);
  });

  it("is refused in plain words", async () => {
    const refusals: [flags: string[], message: string][] = [
      [["--meanwhile", "x"], "--meanwhile needs --no-wait: nothing goes on while you wait"],
      [
        ["--no-wait", "--meanwhile", "x".repeat(501)],
        "--meanwhile has 501 characters; at most 500 are allowed",
      ],
      [
        ["--no-wait", "--meanwhile", "x".repeat(9000)],
        "--meanwhile has 9000 characters; at most 500 are allowed",
      ],
      [["--no-wait", "--meanwhile", " "], "--meanwhile is empty"],
    ];
    const project = await tempProject();
    for (const [flags, message] of refusals) {
      const { stderr, code } = await project.run(...ASK, ...flags);
      assert.equal(code, 1);
      assert.ok(stderr.includes(`✗ the request was refused: ${message}\n`), stderr);
      assert.ok(
        stderr.endsWith(`  → oj decision request … --no-wait --meanwhile "what goes on meanwhile"\n`),
        stderr,
      );
    }
  });
});

describe("a request that nobody waited for blocks work", () => {
  it("once whoever asked under a name awaits it, and the await gets the answer", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const id = await askedAside(project, "--as", "painter");
    const awaiting = project.start("decision", "await", id);
    assert.equal(await untilPromoted(project, id), "painter waits for the answer now");
    await project.run("decision", "resolve", id, "2");
    assert.equal((await awaiting.ended).stdout, "Square\n");
    const { stdout } = await project.run("decision", "show", id);
    assert.match(stdout, /promoted +.* it blocks work: painter waits for the answer now\n/);
  });

  also("once it is asked again, as one decision", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const id = await askedAside(project, "--as", "painter");
    assert.equal((await project.run(...ASIDE, "--as", "painter")).stdout.trim(), id);
    assert.equal(await untilPromoted(project, id), "painter has asked again");
    assert.equal((await shown(project, id)).count, 2);
  });

  it.each(
    few(
      [
        ["Stop", "the turn of the session has ended, so nothing goes on meanwhile"],
        ["SessionEnd", "the session has ended, so nothing goes on meanwhile"],
      ],
      1,
    ),
  )("once its session reports %s", async (event, reason) => {
    const project = await tempProject({}, { env: { OJ_SESSION: "s1" } });
    await project.run("daemon", "start");
    await hook(project, "UserPromptSubmit");
    const id = await askedAside(project);
    await hook(project, event);
    assert.equal(await untilPromoted(project, id), reason);
  });

  also("once the script of a step awaits it; until then its job runs", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": runbook });
    const { job_id } = await project.json<{ job_id: string }>("run", "asks");
    const status = async () => (await project.json<{ status: string }>("job", "show", job_id)).status;
    const [{ id } = { id: "" }] = await project.until(async () => {
      const all = await project.json<Decision[]>("decision", "list");
      return all.length === 1 ? all : null;
    });
    assert.deepEqual([(await shown(project, id)).blocking, await status()], [false, "running"]);
    project.write({ go: "" });
    await project.until(async () => (await status()) === "waiting");
    assert.equal((await shown(project, id)).promoted?.reason, "asks/a waits for the answer now");
    await project.run("decision", "resolve", id, "1");
    await project.until(async () => (await status()) === "completed");
  });
});
