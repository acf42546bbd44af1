/** What a job's shell steps ask: it belongs to the job and the step, while it is pending and when they end. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { call, killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

const OJ = path.join(import.meta.dirname, "../../dist/oj.cjs");
const oj = `${process.execPath} ${OJ}`;
const ASK = `${oj} decision request --prompt "Ship?" --option Yes --option No`;

const job = (name: string, ...steps: string[]) => `
command "${name}" { run = { job = "${name}" } }
job "${name}" {
${steps.map((it, n) => `  step "${"abc"[n]}" { run = ${JSON.stringify(it)} }`).join("\n")}
}`;
const HOLD = "until [ -e go ]; do sleep 0.02; done";

const runbook = {
  ".oj/runbooks/a.hcl": [
    job("waits", `${ASK} --wait > said`, "echo done >> after"),
    job("leaves", `${ASK} > id`, HOLD, `${oj} decision await $(cat id) > said`),
    job("named", `${ASK} --as billing; ${ASK} --as audit; ${HOLD}`),
    job("fails", `${ASK}; exit 3`),
    job("hides", `env -u OJ_JOB -u OJ_RUN ${ASK} --wait > said`),
    job("nests", `${oj} run waits --wait > nested 2>&1`),
    job("blocks", `${ASK} --blocks $(cat other); true`),
    job("slow", HOLD, "echo x >> after"),
  ].join("\n"),
};

interface Job {
  id: string;
  status: string;
  step: string;
  pending_decision: string | null;
  steps: { name: string; status: string }[];
}

interface Decision {
  id: string;
  state: string;
  requested_by: string;
  blocks: string[];
  session: string | null;
  asked_in?: { job_id: string; step: string };
  ended: { reason: string; by: string } | null;
  delivery: { state: string };
}

const begin = async (project: Project, name: string) =>
  (await project.json<{ job_id: string }>("run", name)).job_id;
const jobOf = (project: Project, id: string) => project.json<Job>("job", "show", id);
const shown = (project: Project, id: string) => project.json<Decision>("decision", "show", id);
const asked = (project: Project, count = 1) =>
  project.until(async () => {
    const all = await project.json<Decision[]>("decision", "list");
    return all.length === count && all;
  }, `${count} pending`);
const untilJob = (project: Project, id: string, status: string) =>
  project.until(async () => {
    const it = await jobOf(project, id);
    if (it.status !== status) throw new Error(JSON.stringify(it));
    return it;
  }, `a job that is ${status}`);

describe("a request from a shell step", () => {
  it("belongs to the job, which shows as waiting until the answer arrives and then goes on", async () => {
    const project = await tempProject(runbook);
    Object.assign(project.env, { CLAUDE_CODE_SESSION_ID: "s1" }); // started from within a session
    const hook = { session_id: "s1", cwd: project.dir, hook_event_name: "UserPromptSubmit", prompt: "go" };
    await project.run("daemon", "start");
    await call(project, "POST", "/hooks/session", { body: hook });
    for (const name of ["waits", "hides"]) {
      const id = await begin(project, name);
      const [decision] = await asked(project);
      assert.ok(decision);
      assert.deepEqual(
        [decision.asked_in?.job_id, decision.asked_in?.step, decision.requested_by, decision.session],
        [id, "a", `${name}/a`, null],
      );
      const waiting = await untilJob(project, id, "waiting");
      assert.deepEqual([waiting.pending_decision, waiting.steps[0]?.status], [decision.id, "running"]);
      assert.match((await project.run("status")).stdout, new RegExp(`${id} +waiting .*Ship\\?`));
      assert.match((await project.run("job", "show", id)).stdout, /Ship\?[\s\S]*1 +Yes/);
      assert.match(
        (await project.run("decision", "show", decision.id)).stdout,
        new RegExp(`${id}, step "a"`),
      );
      delete project.env.CLAUDE_CODE_SESSION_ID;
      await project.run("decision", "resolve", decision.id, "1");
      await untilJob(project, id, "completed");
      assert.match(fs.readFileSync(path.join(project.dir, "said"), "utf8"), /^Yes\n/);
      await project.until(
        async () => (await shown(project, decision.id)).delivery.state === "acknowledged",
        "the receipt",
      );
    }
  });

  also("stays pending if nobody waits for it, and a later step can await it", async () => {
    const project = await tempProject(runbook);
    const id = await begin(project, "leaves");
    const [decision] = await asked(project);
    assert.ok(decision);
    const at = await project.until(async () => {
      const it = await jobOf(project, id);
      return it.step === "b" && it;
    }, "the second step");
    assert.equal(at.status, "running");
    project.write({ go: "" });
    await project.run("decision", "resolve", decision.id, "2");
    await untilJob(project, id, "completed");
    assert.match(fs.readFileSync(path.join(project.dir, "said"), "utf8"), /^No\n/);
  });

  it("is withdrawn with the job, and with a step that fails or is cancelled", async () => {
    const project = await tempProject(runbook);
    const failed = await begin(project, "fails");
    await untilJob(project, failed, "failed");
    const all = await project.json<Decision[]>("decision", "list", "--all");
    assert.deepEqual(
      all.map((it) => [it.state, it.ended?.by, it.ended?.reason]),
      [["withdrawn", "oj", 'fails: step "a" failed']],
    );

    const named = await begin(project, "named");
    const two = await asked(project, 2);
    assert.equal((await untilJob(project, named, "waiting")).steps[0]?.status, "running");
    await project.run("decision", "resolve", two[0]?.id ?? "", "1");
    assert.equal((await jobOf(project, named)).status, "waiting", "one of them is pending");
    await project.run("job", "cancel", named);
    await untilJob(project, named, "cancelled");
    const over = await shown(project, two[1]?.id ?? "");
    assert.deepEqual([over.state, over.ended?.reason], ["withdrawn", "named was cancelled"]);
    const { text } = await project.json<{ text: string }>("inject", "drain", "--as", over.requested_by);
    assert.match(text, /withdrawn/);

    const left = await begin(project, "leaves");
    const [pending] = await asked(project);
    await project.until(async () => (await jobOf(project, left)).step === "b", "the second step");
    await project.run("job", "cancel", left);
    await untilJob(project, left, "cancelled");
    assert.equal((await shown(project, pending?.id ?? "")).state, "withdrawn");
  });

  also("is withdrawn if the daemon was killed, because its step is over; the log keeps it", async () => {
    const project = await tempProject(runbook);
    const id = await begin(project, "waits");
    const [decision] = await asked(project);
    await untilJob(project, id, "waiting");
    await killDaemon(project);
    await project.run("daemon", "start");
    await untilJob(project, id, "failed");
    const { state, ended } = await shown(project, decision?.id ?? "");
    assert.deepEqual([state, ended?.by], ["withdrawn", "oj"]);
    assert.equal((await project.run("job", "delete", id)).code, 0);
    assert.equal((await shown(project, decision?.id ?? "")).state, "withdrawn");
  });

  also("belongs to the inner job if a step runs another job", async () => {
    const project = await tempProject(runbook);
    const outer = await begin(project, "nests");
    const [decision] = await asked(project);
    assert.ok(decision?.asked_in);
    assert.notEqual(decision.asked_in.job_id, outer);
    assert.equal((await jobOf(project, outer)).status, "running");
    await untilJob(project, decision.asked_in.job_id, "waiting");
    await project.run("decision", "resolve", decision.id, "1");
    await untilJob(project, outer, "completed");
  });

  also("stays while other work waits for it, even if that work was deleted", async () => {
    const project = await tempProject(runbook);
    const other = await begin(project, "slow");
    project.write({ other });
    const asker = await begin(project, "blocks");
    await untilJob(project, asker, "completed");
    const [decision] = await asked(project);
    assert.deepEqual(decision?.blocks, [other]);
    assert.equal((await project.run("job", "delete", asker)).code, 0);
    project.write({ go: "" });
    await untilJob(project, other, "waiting");
    await project.run("job", "cancel", other);
    await untilJob(project, other, "cancelled");
    assert.equal((await project.run("job", "delete", other)).code, 0);
    for (const restart of [false, true]) {
      if (restart) await killDaemon(project);
      const card = await shown(project, decision?.id ?? "");
      assert.deepEqual([card.state, card.blocks], ["pending", []]);
    }
    await project.run("decision", "resolve", decision?.id ?? "", "1");
    assert.equal((await shown(project, decision?.id ?? "")).state, "resolved");
  });
});
