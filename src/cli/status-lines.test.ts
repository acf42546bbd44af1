import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../test/fakes/fake-client.ts";
import type { JobView, StepView } from "../api.ts";
import { plain } from "./output.ts";
import { batches } from "./status.ts";
import { statusLines } from "./status-lines.ts";

const look = { style: plain, now: NOW };

function step(more: Partial<StepView>): StepView {
  return {
    name: "ship",
    status: "waiting",
    started_at_ms: NOW - 60_000,
    finished_at_ms: null,
    error: null,
    exit_code: null,
    entries: 1,
    decision_id: null,
    child_id: null,
    ...more,
  };
}

function job(more: Partial<JobView>): JobView {
  return {
    id: "job-a2b3c4d5e6",
    project: "shop",
    name: "release/1.0",
    kind: "release",
    status: "waiting",
    step: "ship",
    steps: [step({})],
    vars: {},
    workspace: null,
    branch: null,
    pending_decision: null,
    blocked_by: [],
    error: null,
    failed_step: null,
    reason: null,
    cwd: "/shop",
    parent: null,
    by: "ana",
    created_at_ms: NOW - 120_000,
    finished_at_ms: null,
    ...more,
  };
}

describe("the overview", () => {
  it("says so when nothing runs", () => {
    assert.deepEqual(statusLines([], look), ["nothing runs and nothing waits"]);
    assert.deepEqual(statusLines([], { ...look, project: "shop" }), [
      "nothing runs and nothing waits in project shop",
    ]);
  });

  it("shows what runs, what waits with its question, and who else asks, by project", () => {
    const asked = decision({});
    const request = decision({
      id: "dec-p4qp4qp4qp",
      source: "request",
      title: "Which?",
      owner: { kind: "requester", id: "bot", name: "bot" },
      created_at_ms: NOW,
    });
    const running = job({
      id: "job-run",
      name: "test",
      status: "running",
      step: "lint",
      steps: [step({ name: "lint", status: "running" })],
    });
    const waiting = job({ pending_decision: asked.id });
    const lines = statusLines(
      [
        { project: "blog", jobs: [running], pending: [], agents: [] },
        { project: "shop", jobs: [waiting], pending: [asked, request], agents: [] },
      ],
      look,
    );
    assert.equal(
      lines.join("\n"),
      `blog  1 running
  …  job-run  running  1m  test · lint

shop  1 waiting, 2 decisions pending
  ⏸  job-a2b3c4d5e6  waiting  3m   release/1.0 · ship  [step] Ship 1.0?
  ?  dec-p4qp4qp4qp  asks     now  bot                 [request] Which?`,
    );
  });

  it("says how a job goes on whose question was dismissed", () => {
    const [, line = ""] = statusLines([{ project: "shop", jobs: [job({})], pending: [], agents: [] }], look);
    assert.match(line, /its question was dismissed; go on with oj job resume job-a2b3c4d5e6$/);
  });
});

describe("events in bursts", () => {
  it("are drawn once, and the end is passed on", async () => {
    async function* events() {
      yield 1;
      yield 2;
      yield 3;
    }
    let turns = 0;
    for await (const _ of batches(events(), 1)) turns += 1;
    assert.equal(turns, 1);
  });

  it("pass a failure on", async () => {
    async function* events() {
      yield 1;
      throw new Error("lost");
    }
    await assert.rejects(async () => {
      for await (const _ of batches(events(), 1));
    }, /lost/);
  });
});
