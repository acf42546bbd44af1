import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { jobDef, stepLine, world } from "../../test/fakes/core.ts";
import type { ResolveInput } from "./decision.ts";
import { resolveDecision } from "./decision.ts";
import { findJob } from "./find.ts";
import { cancelJob, deleteJob, resumeJob, suspendJob } from "./job.ts";
import { effectsOf, owed } from "./owed.ts";
import { decodeState, encodeState, replay } from "./state.ts";

const by = "ana";
const answer = (id: string, choice: number, message: string | null = null): ResolveInput => ({
  id,
  choices: [[choice]],
  text: null,
  message,
  by,
  via: "cli",
});

describe("steps in order", () => {
  it("runs them one after the other and completes", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {} }));
    assert.equal(stepLine(it.job(id)), "a:running b:pending");
    it.shell(id);
    assert.equal(stepLine(it.job(id)), "a:completed b:running");
    it.shell(id);
    assert.equal(it.job(id).status, "completed");
  });

  it("jumps where on_done says and marks what was passed over", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_done: { step: "c" } }, b: {}, c: {} }));
    it.shell(id);
    assert.equal(stepLine(it.job(id)), "a:completed b:skipped c:running");
    assert.equal(it.job(id).steps[1]?.error, '"a" went on to "c"');
  });

  it("skips a step whose dependency has not completed, with the reason", () => {
    const it = world();
    const id = it.start(
      jobDef({
        a: { on_fail: { step: "c" } },
        b: {},
        c: { depends_on: ["a"] },
        d: { on_done: { step: "c" } },
      }),
    );
    it.shell(id, 1);
    assert.match(it.job(id).steps[2]?.error ?? "", /needs "a" is failed/);
  });

  it("goes on in order after a skipped step, whatever its on_done says", () => {
    const it = world();
    const steps = {
      a: { on_fail: { step: "b" } },
      b: { depends_on: ["a"], on_done: { step: "a" } },
      c: { on_done: { step: "b" } },
    };
    const id = it.start(jobDef(steps));
    it.shell(id, 1);
    assert.equal(stepLine(it.job(id)), "a:failed b:skipped c:running");
  });

  it("refuses a job whose steps all stand aside", () => {
    const it = world();
    assert.throws(() => it.start(jobDef({ a: {} }, { on_fail: { step: "a" } })), { code: "job.invalid" });
  });

  it("gives later steps what a step printed", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: { run: "echo ${step.a.output}" } }));
    it.shell(id, 0, "42");
    const [effect] = owed(it.state);
    assert.equal(effect?.type === "run-shell" && Object.values(effect.values)[0], "42");
  });

  it("fails a step that names a value which is not there, and says which", () => {
    const it = world();
    const id = it.start(jobDef({ a: { run: "echo ${workspace.dir}" } }));
    assert.equal(it.job(id).status, "failed");
    assert.match(it.job(id).error ?? "", /workspace\.dir/);
  });
});

describe("failure", () => {
  it("fails the job with the step's error where nothing handles it", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {} }));
    it.shell(id, 3);
    assert.equal(it.job(id).status, "failed");
    assert.equal(it.job(id).error, "exit code 3");
    assert.equal(stepLine(it.job(id)), "a:failed b:pending");
  });

  it("runs the step that stands aside and then fails with the original error", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "tidy" } }, tidy: {}, b: {} }));
    it.shell(id, 1);
    assert.equal(it.job(id).step, "tidy");
    assert.equal(it.job(id).status, "running");
    it.shell(id);
    assert.equal(it.job(id).status, "failed");
    assert.equal(it.job(id).error, "exit code 1");
  });

  it("passes the step aside by when all goes well", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "tidy" } }, tidy: {}, b: {} }));
    it.shell(id);
    assert.equal(it.job(id).step, "b");
  });

  it("has recovered when the step aside says where to go on", () => {
    const it = world();
    const id = it.start(
      jobDef({ a: { on_fail: { step: "mend" } }, mend: { on_done: { step: "b" } }, b: {} }),
    );
    it.shell(id, 1);
    it.shell(id);
    it.shell(id);
    assert.equal(it.job(id).status, "completed");
  });

  it("tells both errors when the step aside fails too", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "tidy" } }, tidy: {} }));
    it.shell(id, 1);
    it.shell(id, 2);
    assert.equal(it.job(id).error, 'exit code 1\nthen step "tidy" failed too: exit code 2');
  });

  it("goes back by on_fail and begins anew from there", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {}, c: { on_fail: { step: "a" } } }));
    it.shell(id);
    it.shell(id);
    it.shell(id, 1);
    assert.equal(stepLine(it.job(id)), "a:running b:pending c:pending");
  });

  it("tries again as often as attempts allow, then fails", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "a", attempts: 2 } } }));
    it.shell(id, 1);
    it.shell(id, 1);
    assert.equal(it.job(id).status, "running");
    it.shell(id, 1);
    assert.equal(it.job(id).status, "failed");
    assert.equal(it.job(id).steps[0]?.entries, 3);
  });

  it("breaks a circle after five entries and names the step", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "a" } } }));
    for (let n = 0; n < 5; n++) it.shell(id, 1);
    assert.equal(it.job(id).status, "failed");
    assert.match(it.job(id).error ?? "", /step "a" was entered 5 times/);
  });

  it("uses the job's on_fail for steps that have none, and its on_done at the end", () => {
    const it = world();
    const def = jobDef(
      { a: {}, alarm: {}, party: {} },
      { on_fail: { step: "alarm" }, on_done: { step: "party" } },
    );
    const bad = it.start(def);
    it.shell(bad, 1);
    assert.equal(it.job(bad).step, "alarm");
    it.shell(bad);
    assert.equal(it.job(bad).status, "failed");
    const good = it.start(def);
    it.shell(good);
    assert.equal(it.job(good).step, "party");
    it.shell(good);
    assert.equal(it.job(good).status, "completed");
  });
});

describe("a decision step", () => {
  const def = jobDef({
    plan: {},
    ask: {
      decision: {
        options: [
          { key: "go" },
          { key: "again", step: "plan" },
          { key: "stop", action: "cancel" },
          { key: "bad", action: "fail" },
          { key: "later", action: "dismiss" },
        ],
      },
    },
    build: { run: "echo ${decision.ask.choice} ${decision.ask.message}" },
  });
  const asked = () => {
    const it = world();
    const id = it.start(def);
    it.shell(id);
    return { it, id, decision: it.pending()[0] ?? "" };
  };

  it("waits, and goes on with the choice and the message", () => {
    const { it, id, decision } = asked();
    assert.equal(it.job(id).status, "waiting");
    it.play((state, moment) => resolveDecision(state, answer(decision, 1, "now"), moment));
    assert.equal(it.job(id).step, "build");
    const [effect] = owed(it.state);
    assert.deepEqual(effect?.type === "run-shell" && Object.values(effect.values), ["go", "now"]);
    assert.equal(it.state.decisions.get(decision as never)?.delivery.state, "acknowledged");
  });

  it("goes back to the option's step", () => {
    const { it, id, decision } = asked();
    it.play((state, moment) => resolveDecision(state, answer(decision, 2), moment));
    assert.equal(stepLine(it.job(id)), "plan:running ask:pending build:pending");
  });

  it("cancels, fails or waits on as the option says", () => {
    for (const [choice, status] of [
      [3, "cancelled"],
      [4, "failed"],
      [5, "waiting"],
    ] as const) {
      const { it, id, decision } = asked();
      it.play((state, moment) => resolveDecision(state, answer(decision, choice), moment));
      assert.equal(it.job(id).status, status);
    }
  });

  it("asks a dismissed question again when the job is resumed", () => {
    const { it, id, decision } = asked();
    it.play((state, moment) => resolveDecision(state, answer(decision, 5), moment));
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(it.pending().length, 1);
    assert.notEqual(it.pending()[0], decision);
  });

  it("shows a failed context command instead of hiding it", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: { context: "cat plan.md" } } }));
    assert.equal(it.pending().length, 0);
    it.shell(id, 1, "half a plan");
    const [decision] = it.state.decisions.values();
    assert.match(decision?.context ?? "", /The context command failed: exit code 1\n\nhalf a plan/);
  });

  it("fails the step when its template's context is missing, and leaves no decision behind", () => {
    const it = world();
    const template = {
      name: "t",
      required_context: [{ key: "progress" }],
      options: [{ key: "go" }],
      path: "",
      line: 1,
    };
    const id = it.start(jobDef({ ask: { decision: { template: "t", options: [] } } }), {
      library: { jobs: {}, agents: {}, templates: { t: template } },
    });
    assert.equal(it.job(id).status, "failed");
    assert.match(it.job(id).error ?? "", /"progress" is missing/);
    assert.equal(it.state.decisions.size, 0);
  });
});

describe("cancelling", () => {
  it("waits for the process to end, then is cancelled", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {} }));
    const events = it.play((state, moment) => cancelJob(state, { id, by, reason: "no" }, moment));
    assert.deepEqual(
      effectsOf(it.state, events, new Set()).map((one) => one.type),
      ["stop-shell"],
    );
    it.shell(id, 143);
    assert.equal(it.job(id).status, "cancelled");
    assert.equal(it.job(id).reason, "no");
    assert.equal(stepLine(it.job(id)), "a:cancelled b:pending");
  });

  it("takes the open question out of the inbox and runs on_cancel", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {}, on_cancel: { step: "tidy" } }, tidy: {} }));
    it.play((state, moment) => cancelJob(state, { id, by, reason: null }, moment));
    assert.equal(it.pending().length, 0);
    assert.equal(it.job(id).step, "tidy");
    it.shell(id);
    assert.equal(it.job(id).status, "cancelled");
  });

  it("takes it out once", () => {
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

  it("refuses a job that has ended", () => {
    const it = world();
    const id = it.start(jobDef({ a: {} }));
    it.shell(id);
    assert.throws(() => it.play((state, moment) => cancelJob(state, { id, by, reason: null }, moment)), {
      code: "job.ended",
    });
  });
});

describe("suspending", () => {
  it("lets the running step end and begins no other until resumed", () => {
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
    it.play((state, moment) => resolveDecision(state, answer(it.pending()[0] ?? "", 1), moment));
    assert.equal(it.job(id).status, "suspended");
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(it.job(id).step, "b");
    assert.equal(it.job(id).status, "running");
  });

  it("resumed while its question is still open, it waits for that answer again", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {} }, b: {} }));
    it.play((state, moment) => suspendJob(state, { id, by }, moment));
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(it.job(id).status, "waiting");
    assert.equal(it.pending().length, 1);
  });

  it("resumes a failed job at the step that failed", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {}, c: {} }));
    it.shell(id);
    it.shell(id, 1);
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(stepLine(it.job(id)), "a:completed b:running c:pending");
  });

  it("refuses to resume what runs, waits or has ended well", () => {
    const it = world();
    const id = it.start(jobDef({ a: {} }));
    const resume = () => it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.throws(resume, { code: "job.not-resumable" });
    it.shell(id);
    assert.throws(resume, { code: "job.ended" });
  });
});

describe("a step that runs another job", () => {
  const child = jobDef({ x: {} }, { kind: "child", vars: ["who"] });
  const parent = jobDef({ a: { run: { type: "job", job: "child", vars: {} } }, b: {} }, { vars: ["who"] });
  const started = () => {
    const it = world();
    const id = it.start(parent, {
      library: { jobs: { child }, agents: {}, templates: {} },
      vars: { who: "eva" },
    });
    const childId = it.job(id).steps[0]?.child_id;
    if (!childId) throw new Error("no child");
    return { it, id, childId };
  };

  it("waits for it and goes on when it completes, with the variables it names", () => {
    const { it, id, childId } = started();
    assert.deepEqual(it.job(childId).vars, { who: "eva" });
    it.shell(childId);
    assert.equal(it.job(childId).status, "completed");
    assert.equal(it.job(id).step, "b");
  });

  it("fails with it", () => {
    const { it, id, childId } = started();
    it.shell(childId, 1);
    assert.equal(it.job(id).status, "failed");
    assert.match(it.job(id).error ?? "", new RegExp(`${childId} failed: exit code 1`));
  });

  it("is cancelled with its parent", () => {
    const { it, id, childId } = started();
    it.play((state, moment) => cancelJob(state, { id, by, reason: null }, moment));
    it.shell(childId, 143);
    assert.equal(it.job(childId).status, "cancelled");
    assert.equal(it.job(id).status, "cancelled");
  });
});

describe("a workspace", () => {
  it("comes before the first step, stays after a failure and goes otherwise", () => {
    const it = world();
    const def = jobDef({ a: {} }, { workspace: { type: "folder" } });
    const [good, bad] = [it.start(def), it.start(def)];
    assert.deepEqual(
      owed(it.state).map((one) => one.type),
      ["make-workspace", "make-workspace"],
    );
    it.prepared(good);
    it.prepared(bad);
    it.shell(good);
    it.shell(bad, 1);
    assert.deepEqual(
      owed(it.state).map((one) => "job_id" in one && one.job_id),
      [good],
    );
  });
});

describe("deleting", () => {
  it("takes the job's decisions along and owes the removal of its files", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: {} } }));
    assert.throws(() => it.play((state, moment) => deleteJob(state, { id, by }, moment)), {
      code: "job.not-ended",
    });
    it.play((state, moment) => resolveDecision(state, answer(it.pending()[0] ?? "", 1), moment));
    it.play((state, moment) => deleteJob(state, { id, by }, moment));
    assert.equal(it.state.decisions.size, 0);
    assert.deepEqual(
      owed(it.state).map((one) => one.type),
      ["purge-job"],
    );
    assert.throws(() => findJob(it.state, id), { code: "job.not-found" });
  });
});

describe("replay", () => {
  it("gives the same state, byte for byte, also through a snapshot in the middle", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "a", attempts: 1 } }, ask: { decision: {} }, b: {} }));
    it.shell(id, 1);
    it.shell(id);
    it.play((state, moment) => resolveDecision(state, answer(it.pending()[0] ?? "", 2, "ok"), moment));
    const text = encodeState(it.state);
    const events = JSON.parse(JSON.stringify(it.events)) as typeof it.events;
    assert.equal(encodeState(replay(events)), text);
    for (let cut = 0; cut <= events.length; cut++) {
      const half = decodeState(encodeState(replay(events.slice(0, cut))));
      assert.equal(encodeState(replay(events.slice(cut), half)), text);
    }
  });
});

it("can name itself in its folder and, by its kind, in its name", () => {
  const it = world();
  const id = it.start(jobDef({ a: {} }, { name: "x/${job.name}", cwd: "out/${job.name}${job.error}" }));
  assert.equal(it.job(id).name, "x/work");
  assert.equal(it.job(id).cwd, "/home/out/x/work");
});
