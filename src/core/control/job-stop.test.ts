import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, due, exited } from "../../../test/fakes/agents.ts";
import { asker, jobDef, stepLine, world } from "../../../test/fakes/core.ts";
import { answer, asked } from "../../../test/fakes/requests.ts";
import { effectsOf, owed } from "../owed.ts";
import { cancelJob, resumeJob, suspendJob } from "./job.ts";

const by = "ana";

describe("cancelling", () => {
  it("waits for the process to end, then the job is cancelled", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {} }));
    const events = it.play((state, moment) => cancelJob(state, { id, by, reason: "no" }, moment));
    assert.deepEqual(
      effectsOf(it.state, events).map((one) => one.type),
      ["stop-shell"],
    );
    it.shell(id, 143);
    assert.equal(it.job(id).status, "cancelled");
    assert.equal(it.job(id).reason, "no");
    assert.equal(stepLine(it.job(id)), "a:cancelled b:pending");
  });

  it("waits for an agent to end, also one that is at work", () => {
    const { it, job, seen } = agentAtWork();
    it.play((state, moment) => cancelJob(state, { id: job()?.id ?? "", by, reason: null }, moment));
    assert.deepEqual([due(it.state), job()?.status], [["stop-agent"], "running"]);
    seen(exited);
    assert.deepEqual([due(it.state), job()?.status], [[], "cancelled"]);
  });

  it("withdraws the pending question and runs on_cancel", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {}, on_cancel: { step: "tidy" } }, tidy: {} }));
    it.play((state, moment) => cancelJob(state, { id, by, reason: null }, moment));
    assert.equal(it.pending().length, 0);
    assert.equal(it.job(id).step, "tidy");
    it.shell(id);
    assert.equal(it.job(id).status, "cancelled");
  });

  it("withdraws it once", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {} } }));
    const events = it.play((state, moment) => cancelJob(state, { id, by, reason: null }, moment));
    assert.deepEqual(
      events.map((event) => event.type),
      ["job:cancelling", "decision:withdrawn", "step:cancelled", "job:cancelled"],
    );
  });

  it("ends the suspension, so that on_cancel runs", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {}, on_cancel: { step: "tidy" } }, tidy: {} }));
    it.play((state, moment) => suspendJob(state, { id, by }, moment));
    it.play((state, moment) => cancelJob(state, { id, by, reason: null }, moment));
    assert.equal(stepLine(it.job(id)), "ask:cancelled tidy:running");
  });

  it("a second time lets on_cancel finish, unless it is to end now", () => {
    for (const now of [false, true]) {
      const it = world();
      const id = it.start(jobDef({ a: { on_cancel: { step: "tidy" } }, tidy: {} }));
      it.play((state, moment) => cancelJob(state, { id, by, reason: "no" }, moment));
      it.shell(id, 143);
      assert.equal(stepLine(it.job(id)), "a:cancelled tidy:running");
      const again = it.play((state, moment) =>
        cancelJob(state, { id, by: "bob", reason: "really", now }, moment),
      );
      assert.deepEqual(
        effectsOf(it.state, again).map((one) => one.type),
        now ? ["stop-shell"] : [],
      );
      it.shell(id, now ? 143 : 0);
      assert.equal(it.job(id).status, "cancelled");
      assert.equal(stepLine(it.job(id)), `a:cancelled tidy:${now ? "cancelled" : "completed"}`);
      assert.equal(it.job(id).cancelled_by, now ? "bob" : "ana");
    }
  });

  it("ends now also what only a child job tidies up", () => {
    const it = world();
    const child = jobDef({ a: { on_cancel: { step: "tidy" } }, tidy: {} }, { kind: "child" });
    const def = jobDef({ call: { run: { type: "job", job: "child", vars: {} } } });
    const id = it.start(def, { library: { jobs: { child }, agents: {}, templates: {} } });
    const inner = it.job(id).steps[0]?.child_id ?? assert.fail("no child");
    const cancel = (now: boolean) =>
      effectsOf(
        it.state,
        it.play((state, moment) => cancelJob(state, { id, by, reason: null, now }, moment)),
      ).map((one) => one.type);
    cancel(false);
    it.shell(inner, 143);
    assert.equal(stepLine(it.job(inner)), "a:cancelled tidy:running");
    assert.deepEqual([cancel(false), cancel(true), cancel(true)], [[], ["stop-shell"], []]);
    it.shell(inner, 143);
    assert.deepEqual([it.job(inner).status, it.job(id).status], ["cancelled", "cancelled"]);
  });

  it("is recorded under the person's name, including what it withdraws", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {} } }));
    const [asked = ""] = it.pending();
    it.play((state, moment) => cancelJob(state, { id, by, reason: null }, moment));
    assert.deepEqual(
      [it.job(id).cancelled_by, it.state.decisions.get(asked as "dec-1")?.ended?.by],
      [by, by],
    );
  });

  it("refuses a job that has ended", () => {
    const it = world();
    const id = it.start(jobDef({ a: {} }));
    it.shell(id);
    assert.throws(() => it.play((state, moment) => cancelJob(state, { id, by, reason: null }, moment)), {
      code: "job.ended",
    });
  });
});

describe("suspending and resuming", () => {
  it("lets the running step end and starts no other until resumed", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {} }));
    it.play((state, moment) => suspendJob(state, { id, by }, moment));
    it.shell(id);
    assert.equal(it.job(id).status, "suspended");
    assert.equal(stepLine(it.job(id)), "a:completed b:pending");
    assert.deepEqual(owed(it.state), []);
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(stepLine(it.job(id)), "a:completed b:running");
  });

  it("keeps a question answerable meanwhile", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {} }, b: {} }));
    it.play((state, moment) => suspendJob(state, { id, by }, moment));
    answer(it, it.pending()[0] ?? "", 1);
    assert.equal(it.job(id).status, "suspended");
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(it.job(id).step, "b");
    assert.equal(it.job(id).status, "running");
  });

  it("ends with a resume, and if the question is still pending the job waits for the answer again", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {} }, b: {} }));
    it.play((state, moment) => suspendJob(state, { id, by }, moment));
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(it.job(id).status, "waiting");
    assert.equal(it.pending().length, 1);
  });

  it("ends with a resume, and if its script still waits for what it asked, the job waits again", () => {
    const it = world();
    const id = it.start(jobDef({ ask: {} }));
    const run_id = it.job(id).steps[0]?.run_id ?? assert.fail("nothing runs");
    const requester = asker("ana", { is_agent: false, asked_in: { job_id: id, step: "ask", run_id } });
    const request = asked(it, { project: "shop", requester });
    it.play((state, moment) => suspendJob(state, { id, by }, moment));
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(it.job(id).status, "waiting");
    answer(it, request.id, 1);
    assert.equal(it.job(id).status, "running");
  });

  it("starts a failed job again at the step that failed", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {}, c: {} }));
    it.shell(id);
    it.shell(id, 1);
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(stepLine(it.job(id)), "a:completed b:running c:pending");
  });

  it("refuses to resume what is running, waiting or complete", () => {
    const it = world();
    const id = it.start(jobDef({ a: {} }));
    const resume = () => it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.throws(resume, { code: "job.not-resumable" });
    it.shell(id);
    assert.throws(resume, { code: "job.ended" });
  });
});
