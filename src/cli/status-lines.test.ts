import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../test/fakes/fake-client.ts";
import type { AgentView, CrewView, DecisionView, JobView, StepView } from "../api/api.ts";
import { batches } from "./base/batches.ts";
import { plain } from "./base/output.ts";
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
    cancelled_by: null,
    cancelling: null,
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

function agent(more: Partial<AgentView>): AgentView {
  return {
    id: "agt-1",
    project: "shop",
    name: "builder",
    kind: "scripted",
    owner: { kind: "crew", id: "crew-1", name: "helper" },
    status: "working",
    incarnation: 1,
    conversation: null,
    decision_id: null,
    dismissed: false,
    gate: null,
    cooling_until_ms: null,
    last_message: "",
    error: null,
    exit: null,
    cwd: "/shop",
    created_at_ms: NOW - 120_000,
    changed_at_ms: NOW - 60_000,
    owed: [],
    notes: [],
    silent: null,
    prompt: null,
    ...more,
  };
}

describe("the overview", () => {
  it("says so if nothing runs", () => {
    assert.deepEqual(statusLines([], look), ["nothing is running and nothing is waiting"]);
    assert.deepEqual(statusLines([], { ...look, project: "shop" }), [
      "nothing is running and nothing is waiting in project shop",
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
        { project: "blog", jobs: [running], crews: [], pending: [], agents: [], owed: [] },
        { project: "shop", jobs: [waiting], crews: [], pending: [asked, request], agents: [], owed: [] },
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

  it("shows late answers, with why and for how long, and no others", () => {
    const answered = (id: string, ago: number, error: string | null): DecisionView =>
      decision({
        id: id as "dec-1",
        state: "resolved",
        title: "Ship it?",
        answer: {
          ...{ chosen: 1, choices: [[1]], labels: ["Yes"], text: null, message: null },
          ...{ by: "ana", via: "cli", resolved_at_ms: NOW - ago },
        },
        delivery: { state: "owed", attempts: error === null ? 0 : 2, error, at_ms: null },
      });
    const owed = [
      answered("dec-late", 12_000, "its dialog is not on the screen"),
      answered("dec-new", 500, null),
    ];
    assert.deepEqual(
      statusLines([{ project: "shop", jobs: [], crews: [], pending: [], agents: [], owed }], look),
      [
        "shop  1 answer not delivered",
        "  !  dec-late  owed  12s  release/1.0 · ship  answered, not delivered yet (2 attempts): its dialog is not on the screen: Ship it?",
      ],
    );
    const fresh = [answered("dec-new", 500, null)];
    assert.deepEqual(
      statusLines([{ project: "shop", jobs: [], crews: [], pending: [], agents: [], owed: fresh }], look),
      ["nothing is running and nothing is waiting"],
    );
  });

  it("shows agents in the row of their job or crew, with undelivered answers, and how to continue a dismissed crew", () => {
    const running = job({ status: "running", steps: [step({ status: "running" })] });
    const own = { kind: "job", id: running.id, name: running.name, step: "ship" } as const;
    const crew = { kind: "crew", id: "crew-1", name: "helper" } as const;
    const asked = decision({ source: "idle", title: "Stopped: Go on?", agent_id: "agt-2", owner: crew });
    const standing = (more: Partial<CrewView>) =>
      ({
        ...job({}),
        id: "crew-1",
        name: "helper",
        agent_id: "agt-2",
        step: null,
        steps: [],
        ...more,
      }) as CrewView;
    const lines = (agents: AgentView[]) =>
      statusLines(
        [
          {
            project: "shop",
            jobs: [running],
            crews: [standing({ pending_decision: asked.id })],
            pending: [asked],
            agents,
            owed: [],
          },
        ],
        look,
      );
    const helper = agent({ id: "agt-2", owner: crew, status: "idle", decision_id: asked.id });
    assert.deepEqual(lines([agent({ owner: own }), helper]), [
      "shop  1 running, 1 waiting, 1 decision pending, 2 agents (1 working)",
      "  …  job-a2b3c4d5e6  running  1m  release/1.0 · ship  agent builder: working 1m",
      "  ⏸  crew-1          waiting  3m  crew helper         [idle] Stopped: Go on?",
    ]);
    const about = (more: Partial<AgentView>, its: Partial<CrewView> = { status: "running" }) =>
      statusLines(
        [
          {
            project: "shop",
            jobs: [],
            crews: [standing(its)],
            pending: [],
            agents: [agent({ id: "agt-2", owner: crew, ...more })],
            owed: [],
          },
        ],
        look,
      )
        .at(1)
        ?.replace(/.*crew helper */, "");
    const owed = [{ decision_id: "dec-1", state: "owed", attempts: 2 }] as const;
    assert.equal(about({ owed: [...owed] }), "answered, not delivered yet: dec-1 (2 attempts)");
    assert.equal(about({ gate: "npm test" }), "running its gate: npm test");
    assert.equal(about({ cooling_until_ms: NOW + 40_000 }), "retries in 40s");
    for (const status of ["idle", "prompting", "exited"] as const)
      assert.equal(
        about({ status, dismissed: true, owed: [...owed] }, { status: "waiting" }),
        "its decision was dismissed; continue with oj crew resume crew-1",
      );
  });

  it("leaves the state to the mark if room is scarce, and keeps to one line each", () => {
    const waiting = job({ pending_decision: "dec-7k3m9x2p4q" });
    const asked = decision({ title: "Ship this long awaited version of the shop now?" });
    assert.deepEqual(
      statusLines([{ project: "shop", jobs: [waiting], crews: [], pending: [asked], agents: [], owed: [] }], {
        ...look,
        width: 80,
      }).slice(1),
      ["  ⏸  job-a2b3c4d5e6  3m  release/1.0 · ship  [step] Ship this long awaited vers…"],
    );
  });

  it("says how to continue a job whose decision was dismissed", () => {
    const [, line = ""] = statusLines(
      [{ project: "shop", jobs: [job({})], crews: [], pending: [], agents: [], owed: [] }],
      look,
    );
    assert.match(line, /its decision was dismissed; continue with oj job resume job-a2b3c4d5e6$/);
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
