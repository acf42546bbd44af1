import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, crewAtWork } from "../../../test/fakes/agents.ts";
import { jobDef, world } from "../../../test/fakes/core.ts";
import { deleteJob, resumeJob } from "../control/job.ts";
import { resolveDecision } from "../decision/give.ts";
import type { JobId } from "../model/ids.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { dropFailure, seeFailures } from "./seen.ts";

function failed() {
  const it = world();
  const id = it.start(jobDef({ build: { run: "make" } }));
  it.shell(id, 2, "make: *** [all] Error 2");
  return { it, id };
}

const unseen = (it: ReturnType<typeof world>) => [...it.state.unseen];

describe("a failure that nobody has seen", () => {
  it("is kept, in snapshots too", () => {
    const { it: w, id } = failed();
    assert.deepEqual(unseen(w), [id]);
    assert.deepEqual([...decodeState(encodeState(w.state)).unseen], [id]);
  });

  it.each([
    [
      "retried",
      (id: JobId) => (state: never, moment: never) =>
        resumeJob(state, { id, by: "ana", message: null }, moment),
    ],
    ["dropped", (id: JobId) => (state: never) => dropFailure(state, { id, by: "ana" })],
    ["opened", (id: JobId) => (state: never) => seeFailures(state, { ids: [id], by: "ana", how: "opened" })],
    ["deleted", (id: JobId) => (state: never, moment: never) => deleteJob(state, { id, by: "ana" }, moment)],
  ] as const)("is over once it is %s", (_, rule) => {
    const { it: w, id } = failed();
    w.play(rule(id) as never);
    assert.deepEqual(unseen(w), []);
  });

  it("may be dropped twice, but only a failed job can be dropped", () => {
    const { it: w, id } = failed();
    w.play((state) => dropFailure(state, { id, by: "ana" }));
    assert.deepEqual(
      w.play((state) => dropFailure(state, { id, by: "bo" })),
      [],
    );
    const running = w.start(jobDef({ build: {} }));
    assert.throws(() => dropFailure(w.state, { id: running, by: "ana" }), { code: "job.not-failed" });
  });

  it("is none if a person chose it, even if a step tidies up first", () => {
    const w = world();
    const options = [{ key: "ship" }, { key: "stop", action: "fail" as const }];
    const id = w.start(jobDef({ ask: { decision: { options }, on_fail: { step: "tidy" } }, tidy: {} }));
    const [asked = ""] = w.pending();
    const answer = { choices: [], option: "stop", text: null, message: null, by: "ana", via: "cli" } as const;
    w.play((state, moment) => resolveDecision(state, { id: asked, ...answer }, moment));
    if (w.job(id).status === "running") w.shell(id);
    assert.equal(w.job(id).status, "failed");
    assert.deepEqual(unseen(w), []);
  });

  it("is the whole run's, not that of the job it started", () => {
    const w = world();
    const child = jobDef({ build: { run: "make" } }, { kind: "child" });
    const parent = jobDef({ all: { run: { type: "job", job: "child", vars: {} } } });
    const id = w.start(parent, { library: { jobs: { child }, agents: {}, templates: {} } });
    const inner = w.job(id).steps[0]?.child_id as JobId;
    w.shell(inner, 1);
    assert.deepEqual([w.job(inner).status, w.job(id).status], ["failed", "failed"]);
    assert.deepEqual(unseen(w), [id]);
  });

  it("is also what an agent says about itself", () => {
    const job = agentAtWork();
    job.seen({ type: "signalled", signal: "fail", message: "no way", tail: "" });
    assert.deepEqual(unseen(job.it), [job.job()?.id]);
    const crew = crewAtWork();
    crew.seen({ type: "signalled", signal: "fail", message: "no way", tail: "" });
    assert.deepEqual(unseen(crew.it), ["crew-1"]);
  });
});
