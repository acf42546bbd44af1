import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { jobDef, stepLine, world } from "../../../test/fakes/core.ts";
import { answer } from "../../../test/fakes/requests.ts";
import { findJob } from "../model/state/find.ts";
import { replay } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { owed } from "../owed.ts";
import { cancelJob, deleteJob } from "./job.ts";

const by = "ana";

describe("a job's steps", () => {
  it("run one after the other, and the job completes", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {} }));
    assert.equal(stepLine(it.job(id)), "a:running b:pending");
    it.shell(id);
    assert.equal(stepLine(it.job(id)), "a:completed b:running");
    it.shell(id);
    assert.equal(it.job(id).status, "completed");
  });

  it("jump where on_done says, and what was passed over is marked", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_done: { step: "c" } }, b: {}, c: {} }));
    it.shell(id);
    assert.equal(stepLine(it.job(id)), "a:completed b:skipped c:running");
    assert.equal(it.job(id).steps[1]?.error, '"a" led straight to "c"');
  });

  it("are skipped if a dependency has not completed, with the reason", () => {
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
    assert.match(it.job(id).steps[2]?.error ?? "", /needs "a" \(failed\)/);
  });

  it("continue in order after a skipped step, whatever its on_done says", () => {
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

  it("are refused if all of them are off the path", () => {
    const it = world();
    assert.throws(() => it.start(jobDef({ a: {} }, { on_fail: { step: "a" } })), { code: "job.invalid" });
  });

  it("can use what an earlier step printed", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: { run: "echo ${step.a.output}" } }));
    it.shell(id, 0, "42");
    const [effect] = owed(it.state);
    assert.equal(effect?.type === "run-shell" && Object.values(effect.values)[0], "42");
  });

  it("fail if they name a value that does not exist, and say which", () => {
    const it = world();
    const id = it.start(jobDef({ a: { run: "echo ${workspace.dir}" } }));
    assert.equal(it.job(id).status, "failed");
    assert.match(it.job(id).error ?? "", /workspace\.dir/);
  });
});

describe("a failure", () => {
  it("fails the job with the step's error if nothing handles it", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {} }));
    it.shell(id, 3);
    assert.equal(it.job(id).status, "failed");
    assert.equal(it.job(id).error, "exit code 3");
    assert.equal(stepLine(it.job(id)), "a:failed b:pending");
  });

  it("runs the off-path step, and then the job fails with the original error", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "tidy" } }, tidy: {}, b: {} }));
    it.shell(id, 1);
    assert.equal(it.job(id).step, "tidy");
    assert.equal(it.job(id).status, "running");
    it.shell(id);
    assert.equal(it.job(id).status, "failed");
    assert.equal(it.job(id).error, "exit code 1");
  });

  it("does not happen if all goes well, and then the off-path step is skipped", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "tidy" } }, tidy: {}, b: {} }));
    it.shell(id);
    assert.equal(it.job(id).step, "b");
  });

  it("is recovered from if the off-path step says where to continue", () => {
    const it = world();
    const id = it.start(
      jobDef({ a: { on_fail: { step: "mend" } }, mend: { on_done: { step: "b" } }, b: {} }),
    );
    it.shell(id, 1);
    it.shell(id);
    it.shell(id);
    assert.equal(it.job(id).status, "completed");
  });

  it("reports both errors if the off-path step fails too", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "tidy" } }, tidy: {} }));
    it.shell(id, 1);
    it.shell(id, 2);
    assert.equal(it.job(id).error, 'exit code 1\nthen step "tidy" failed too: exit code 2');
  });

  it("goes back through on_fail and starts again from there", () => {
    const it = world();
    const id = it.start(jobDef({ a: {}, b: {}, c: { on_fail: { step: "a" } } }));
    it.shell(id);
    it.shell(id);
    it.shell(id, 1);
    assert.equal(stepLine(it.job(id)), "a:running b:pending c:pending");
  });

  it("is retried as often as attempts allows, then the job fails", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "a", attempts: 2 } } }));
    it.shell(id, 1);
    it.shell(id, 1);
    assert.equal(it.job(id).status, "running");
    it.shell(id, 1);
    assert.equal(it.job(id).status, "failed");
    assert.equal(it.job(id).steps[0]?.entries, 3);
  });

  it("breaks a loop after five entries and names the step", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "a" } } }));
    for (let n = 0; n < 5; n++) it.shell(id, 1);
    assert.equal(it.job(id).status, "failed");
    assert.match(it.job(id).error ?? "", /step "a" was entered 5 times/);
  });

  it("goes on from the job's on_fail step if that is part of the normal order, like from a step's own", () => {
    const it = world();
    const again = { decision: { options: [{ key: "go" }, { key: "again", step: "plan" }] } };
    const id = it.start(jobDef({ plan: {}, ask: again, build: {} }, { on_fail: { step: "plan" } }));
    for (let n = 1; n < 5; n++) {
      it.shell(id);
      answer(it, it.pending()[0] ?? "", 1);
      it.shell(id, 1);
      assert.equal(stepLine(it.job(id)), "plan:running ask:pending build:pending");
    }
    it.shell(id);
    answer(it, it.pending()[0] ?? "", 1);
    it.shell(id, 1);
    assert.equal(it.job(id).status, "failed"); // not for ever
    assert.equal(it.job(id).error, "exit code 1");
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

it("a job whose last step fails takes its on_fail, too", () => {
  const it = world();
  const routes = { on_done: { step: "tag" }, on_fail: { step: "tidy" } };
  const id = it.start(jobDef({ a: {}, tag: {}, tidy: {} }, routes));
  it.shell(id);
  it.shell(id, 3);
  assert.equal(it.job(id).step, "tidy");
  it.shell(id);
  assert.deepEqual([it.job(id).status, it.job(id).error], ["failed", "exit code 3"]);
});

it("a job that is being cancelled ends as cancelled, even if its on_cancel was entered too often", () => {
  const it = world();
  const def = jobDef(
    { a: { on_fail: { step: "a" } }, b: { on_cancel: { step: "a" } } },
    { on_cancel: { step: "a" } },
  );
  const id = it.start(def);
  for (let times = 1; times < 5; times++) it.shell(id, 1);
  it.shell(id);
  assert.equal(it.job(id).step, "b");
  it.play((state, moment) => cancelJob(state, { id, by: "ana", reason: "enough" }, moment));
  it.shell(id, 1);
  const { status, reason } = it.job(id);
  assert.equal(status, "cancelled");
  assert.match(reason ?? "", /^enough\nthen step "a" was entered 5 times/);
});

it("a job's on_done is taken as often as its attempts say", () => {
  const it = world();
  const id = it.start(
    jobDef({ a: {}, b: {}, tag: { on_done: { step: "b" } } }, { on_done: { step: "tag", attempts: 1 } }),
  );
  for (const step of ["a", "b", "tag", "b"]) {
    assert.equal(it.job(id).step, step);
    it.shell(id);
  }
  assert.equal(it.job(id).status, "completed");
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

  it("waits for it and continues when it completes, with the variables it names", () => {
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

  it("fails if it can't be created, and has waited for nothing", () => {
    const it = world();
    const library = { jobs: { child }, agents: {}, templates: {} };
    const id = it.start({ ...parent, vars: [] }, { library });
    const [step] = it.job(id).steps;
    assert.match(step?.error ?? "", /^job "child" can't start: it needs "who"/);
    assert.equal(step?.child_id, null);
    assert.equal(
      it.events.some((one) => one.type === "step:waiting"),
      false,
    );
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
  it("is created before the first step, stays after a failure and is removed otherwise", () => {
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
    answer(it, it.pending()[0] ?? "", 1);
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
  it("gives the same state, byte for byte, even through a snapshot in the middle", () => {
    const it = world();
    const id = it.start(jobDef({ a: { on_fail: { step: "a", attempts: 1 } }, ask: { decision: {} }, b: {} }));
    it.shell(id, 1);
    it.shell(id);
    answer(it, it.pending()[0] ?? "", 2, "ok");
    const text = encodeState(it.state);
    const events = JSON.parse(JSON.stringify(it.events)) as typeof it.events;
    assert.equal(encodeState(replay(events)), text);
    for (let cut = 0; cut <= events.length; cut++) {
      const half = decodeState(encodeState(replay(events.slice(0, cut))));
      assert.equal(encodeState(replay(events.slice(cut), half)), text);
    }
  });
});

it("a job can name itself in its folder and, by its kind, in its name", () => {
  const it = world();
  const id = it.start(jobDef({ a: {} }, { name: "x/${job.name}", cwd: "out/${job.name}${job.error}" }));
  assert.equal(it.job(id).name, "x/work");
  assert.equal(it.job(id).cwd, "/home/out/x/work");
});
