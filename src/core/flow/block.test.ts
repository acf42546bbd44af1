import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork } from "../../../test/fakes/agents.ts";
import type { World } from "../../../test/fakes/core.ts";
import { asker, jobDef, requestInput, stepLine, world } from "../../../test/fakes/core.ts";
import { cancelJob, resumeJob, suspendJob } from "../control/job.ts";
import { cancelDecision } from "../decision/decision.ts";
import { resolveDecision } from "../decision/give.ts";
import type { Decision } from "../model/decision-types.ts";
import type { DecisionId, JobId } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import { replay } from "../model/state/state.ts";
import { encodeState } from "../model/state/state-text.ts";
import { endRequest } from "../request/outcome.ts";
import { requestDecision } from "../request/request.ts";
import type { RequestInput } from "../request/types.ts";

const two = () => jobDef({ a: {}, b: {} });

function ask(it: World, blocks: string[], more: Partial<RequestInput> = {}): DecisionId {
  const options = ["A", "B"].map((label) => ({ label, description: null }));
  const input = requestInput({ prompt: "Which?", options, blocks, ...more });
  const events = it.play((state, moment) => requestDecision(state, input, moment));
  const created = events.find((event) => event.type === "decision:created");
  return created?.type === "decision:created" ? created.id : assert.fail("nothing was asked");
}

function answer(it: World, id: DecisionId, by = "ana"): Decision {
  const given = { id, choices: [[1]], text: null, message: null, by, via: "cli" as const };
  it.play((state, moment) => resolveDecision(state, given, moment));
  return decision(it, id);
}

function decision(it: World, id: DecisionId): Decision {
  return it.state.decisions.get(id) ?? assert.fail(`no ${id}`);
}

const cancel = (it: World, id: DecisionId) =>
  it.play((state, moment) => cancelDecision(state, { id, by: "ana", reason: null }, moment));
const resume = (it: World, id: JobId, message: string | null = null) =>
  it.play((state, moment) => resumeJob(state, { id, by: "ana", message }, moment));

/** `waiting a:completed b:pending` */
const standing = (it: World, id: JobId) => `${it.job(id).status} ${stepLine(it.job(id))}`;

describe("a blocked job", () => {
  it("finishes the current step, and starts no other until the answer", () => {
    const it = world();
    const job = it.start(two());
    const id = ask(it, [job]);
    assert.equal(standing(it, job), "running a:running b:pending");
    it.shell(job);
    assert.equal(standing(it, job), "waiting a:completed b:pending");
    const { aftermath } = answer(it, id);
    assert.equal(aftermath, `no longer blocked: ${job}`);
    assert.equal(standing(it, job), "running a:completed b:running");
    assert.deepEqual(it.job(job).blocked_by, []);
    assert.equal(encodeState(replay(it.events)), encodeState(it.state));
  });

  it("goes on at once if the answer came before its step ended", () => {
    const it = world();
    const job = it.start(two());
    answer(it, ask(it, [job]));
    it.shell(job);
    assert.equal(standing(it, job), "running a:completed b:running");
  });

  it("waits for the last of several", () => {
    const it = world();
    const job = it.start(two());
    const first = ask(it, [job], { requester: asker("one") });
    const second = ask(it, [job], { requester: asker("two") });
    it.shell(job);
    answer(it, first);
    assert.equal(standing(it, job), "waiting a:completed b:pending");
    answer(it, second);
    assert.equal(standing(it, job), "running a:completed b:running");
  });

  it("is blocked only at the named step", () => {
    const it = world();
    const job = it.start(jobDef({ a: {}, b: {}, c: {} }));
    const id = ask(it, [`${job}/c`]);
    it.shell(job);
    assert.equal(standing(it, job), "running a:completed b:running c:pending");
    it.shell(job);
    assert.equal(standing(it, job), "waiting a:completed b:completed c:pending");
    answer(it, id);
    assert.equal(standing(it, job), "running a:completed b:completed c:running");
  });

  it("is not blocked at a step that is skipped anyway", () => {
    const it = world();
    const job = it.start(jobDef({ a: { on_done: { step: "c" } }, b: {}, c: {} }));
    ask(it, [`${job}/b`]);
    it.shell(job);
    assert.equal(standing(it, job), "running a:completed b:skipped c:running");
  });

  it("is blocked before its first step while its workspace is created", () => {
    const it = world();
    const job = it.start(jobDef({ a: {} }, { workspace: { type: "folder" } }));
    const id = ask(it, [job]);
    it.prepared(job);
    assert.equal(standing(it, job), "waiting a:pending");
    answer(it, id);
    assert.equal(standing(it, job), "running a:running");
  });

  it("asks the question of a decision step only after the answer", () => {
    const it = world();
    const job = it.start(jobDef({ a: {}, ask: { decision: {} } }));
    const id = ask(it, [job]);
    it.shell(job);
    assert.deepEqual(it.pending(), [id]);
    answer(it, id);
    assert.equal(standing(it, job), "waiting a:completed ask:waiting");
    assert.equal(it.pending().length, 1);
  });

  it("does not start a child job, and a running child is not blocked by what blocks its parent", () => {
    const it = world();
    const child = jobDef({ x: {}, y: {} }, { kind: "child" });
    const library = { jobs: { child }, agents: {}, templates: {} };
    const def = jobDef({ run: { run: { type: "job", job: "child", vars: {} } }, after: {} });
    const job = it.start(def, { library });
    const inner = it.job(job).steps[0]?.child_id ?? assert.fail("no child");
    const id = ask(it, [job]);
    it.shell(inner);
    it.shell(inner);
    assert.equal(it.job(inner).status, "completed");
    assert.equal(standing(it, job), "waiting run:completed after:pending");
    answer(it, id);
    assert.equal(standing(it, job), "running run:completed after:running");
  });
});

describe("a request that ends without an answer", () => {
  it("leaves the work blocked, and says so with what to type", () => {
    const it = world();
    const job = it.start(two());
    const id = ask(it, [job, "PROJ-7"]);
    it.shell(job);
    cancel(it, id);
    assert.equal(decision(it, id).aftermath, `still blocked: ${job} (oj job resume ${job}), PROJ-7`);
    assert.equal(standing(it, job), "waiting a:completed b:pending");
    resume(it, job, "never mind");
    assert.equal(standing(it, job), "running a:completed b:running");
    assert.equal(it.job(job).message, "never mind");
  });

  for (const ending of ["withdrawn", "expired"] as const) {
    it(`as ${ending} unblocks it if that was asked for`, () => {
      const it = world();
      const job = it.start(two());
      const id = ask(it, [job], { on_cancel: "unblock" });
      it.shell(job);
      it.play((state, moment) => {
        const draft = draftOn(state, moment);
        endRequest(draft, decision(it, id), { state: ending, reason: "nobody came", by: "oj" });
        return draft.facts;
      });
      assert.equal(decision(it, id).aftermath, `no longer blocked: ${job}`);
      assert.equal(standing(it, job), "running a:completed b:running");
    });
  }
});

describe("a request that replaces another", () => {
  it("takes over what that one blocked", () => {
    const it = world();
    const job = it.start(two());
    ask(it, [job, "PROJ-7"]);
    it.shell(job);
    const second = ask(it, ["PROJ-8"]);
    assert.deepEqual(decision(it, second).blocks, [job, "PROJ-7", "PROJ-8"]);
    assert.deepEqual(it.job(job).blocked_by, [{ decision_id: second, step: null }]);
    assert.equal(standing(it, job), "waiting a:completed b:pending");
    answer(it, second);
    assert.equal(standing(it, job), "running a:completed b:running");
  });

  it("does not block again what a person unblocked", () => {
    const it = world();
    const job = it.start(jobDef({ a: {}, b: {}, c: {} }));
    ask(it, [job]);
    it.shell(job);
    resume(it, job);
    const second = ask(it, []);
    assert.deepEqual(decision(it, second).blocks, []);
    it.shell(job);
    assert.equal(standing(it, job), "running a:completed b:completed c:running");
  });
});

describe("a person", () => {
  it("can lift blocks before they take effect", () => {
    const it = world();
    const job = it.start(two());
    const id = ask(it, [job, `${job}/b`]);
    resume(it, job);
    assert.deepEqual(it.job(job).blocked_by, []);
    assert.equal(decision(it, id).state, "pending");
    it.shell(job);
    assert.equal(standing(it, job), "running a:completed b:running");
    answer(it, id);
    assert.equal(standing(it, job), "running a:completed b:running");
  });

  it("ends a suspension first, and lifts blocks with the next resume", () => {
    const it = world();
    const job = it.start(two());
    ask(it, [job]);
    it.shell(job);
    it.play((state, moment) => suspendJob(state, { id: job, by: "ana" }, moment));
    resume(it, job);
    assert.equal(standing(it, job), "waiting a:completed b:pending");
    resume(it, job);
    assert.equal(standing(it, job), "running a:completed b:running");
  });

  it("can answer while the job is suspended, and it starts when it is resumed", () => {
    const it = world();
    const job = it.start(two());
    const id = ask(it, [job]);
    it.shell(job);
    it.play((state, moment) => suspendJob(state, { id: job, by: "ana" }, moment));
    answer(it, id);
    assert.equal(standing(it, job), "suspended a:completed b:pending");
    resume(it, job);
    assert.equal(standing(it, job), "running a:completed b:running");
  });

  it("can cancel it: its on_cancel runs, whatever blocks it", () => {
    const it = world();
    const job = it.start(jobDef({ a: {}, b: {}, tidy: {} }, { on_cancel: { step: "tidy" } }));
    const id = ask(it, [job]);
    it.shell(job);
    it.play((state, moment) => cancelJob(state, { id: job, by: "ana", reason: null }, moment));
    assert.equal(standing(it, job), "running a:completed b:pending tidy:running");
    it.shell(job);
    assert.equal(it.job(job).status, "cancelled");
    assert.equal(answer(it, id).aftermath, null);
    assert.equal(it.job(job).status, "cancelled");
  });

  it("is refused if nothing blocks the job", () => {
    const it = world();
    const job = it.start(two());
    assert.throws(() => resume(it, job), { code: "job.not-resumable" });
  });
});

describe("a request can block", () => {
  it("jobs by a prefix, their steps, and work elsewhere under any name", () => {
    const it = world();
    const job = it.start(two());
    const id = ask(it, [job.slice(0, -1), `${job}/b`, "PROJ-7", "job-1.2", "https://x/y"]);
    assert.deepEqual(decision(it, id).blocks, [job, `${job}/b`, "PROJ-7", "job-1.2", "https://x/y"]);
  });

  it("no job that is missing, has ended or has no such step; everything is said at once, and nothing is superseded", () => {
    const it = world();
    const job = it.start(two());
    const over = it.start(jobDef({ a: {} }));
    it.shell(over);
    const before = ask(it, []);
    assert.throws(
      () => ask(it, ["job-zzz", over, `${job}/nope`, " "]),
      (error: Error) => {
        for (const part of ["job-zzz is not a job", "has completed", "its steps are a, b", "needs the id"])
          assert.ok(error.message.includes(part), error.message);
        return true;
      },
    );
    assert.equal(decision(it, before).state, "pending");
    assert.deepEqual(it.job(job).blocked_by, []);
  });

  it("no job of another project, if an agent asks", () => {
    const it = world();
    const job = it.start(two(), { project: "bank" });
    const agent = asker("builder", { agent_id: "agt-1" });
    assert.throws(() => ask(it, [job], { requester: agent }), /is not a job/);
    ask(it, [job]);
  });
});

describe("an agent that blocks its own job", () => {
  const requester = asker("builder", { agent_id: "agt-0002" });

  it("may be done before the answer: the next step waits for it, and the request stays", () => {
    const { it, id, job, seen } = agentAtWork();
    const asked = ask(it, [job()?.id ?? ""], { requester: { ...requester, agent_id: id } });
    seen({ type: "signalled", signal: "done", message: null, tail: "" });
    assert.equal(job()?.status, "waiting");
    assert.deepEqual(it.pending(), [asked]);
    const { delivery } = answer(it, asked);
    assert.equal(job()?.steps[1]?.status, "running");
    assert.equal(delivery.state, "acknowledged");
  });

  it("takes the request with it when the job ends", () => {
    const { it, id, job, seen } = agentAtWork();
    const asked = ask(it, [job()?.id ?? ""], { requester: { ...requester, agent_id: id } });
    seen({ type: "signalled", signal: "done", message: null, tail: "" });
    seen({ type: "exited", incarnation: 1, code: 0, signal: null, error: null, tail: "" });
    it.play((state, moment) => cancelJob(state, { id: job()?.id ?? "", by: "ana", reason: null }, moment));
    assert.equal(job()?.status, "cancelled");
    assert.equal(decision(it, asked).state, "withdrawn");
  });
});
