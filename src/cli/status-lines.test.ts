import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../test/fakes/fake-client.ts";
import { liveAgent as agent, waitingJob as job, stepView as step } from "../../test/fakes/fleet.ts";
import type { CrewView, DecisionView, FailedRun, LiveAgent, ProjectStatus } from "../api/api.ts";
import { batches } from "./base/batches.ts";
import { plain } from "./base/output.ts";
import { statusLines } from "./status-lines.ts";

const look = { style: plain, now: NOW };

function project(more: Partial<ProjectStatus>): ProjectStatus {
  const none = { jobs: [], crews: [], pending: [], agents: [], owed: [], sessions: [], failed: [] };
  return { project: "shop", ...none, ...more };
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
        project({ project: "blog", jobs: [running] }),
        project({ jobs: [waiting], pending: [asked, request] }),
      ],
      look,
    );
    assert.equal(
      lines.join("\n"),
      `blog  1 running
  …  job-run  running  1m  test · lint

shop  1 waiting, 2 decisions pending
  ?  job-a2b3c4d5e6  waiting  3m   dec-7k3m9x2p4q  release/1.0 · ship  [step] Ship 1.0?
  ?  dec-p4qp4qp4qp  asks     now                  bot                 [request] Which?`,
    );
  });

  it("breaks a long line of counts between words", () => {
    const jobs = (["running", "waiting", "suspended"] as const).map((status) => job({ status }));
    const lines = statusLines([project({ jobs, pending: [decision({})] })], {
      ...look,
      width: 40,
    });
    assert.deepEqual(lines.slice(0, 2), ["shop  1 running, 1 waiting, 1 suspended,", "  1 decision pending"]);
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
    assert.deepEqual(statusLines([project({ owed })], look), [
      "shop  1 answer not delivered",
      "  !  dec-late  owed  12s  release/1.0 · ship  answered, not delivered yet (2 attempts): its dialog is not on the screen: Ship it?",
    ]);
    const fresh = [answered("dec-new", 500, null)];
    assert.deepEqual(statusLines([project({ owed: fresh })], look), [
      "nothing is running and nothing is waiting",
    ]);
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
    const lines = (agents: LiveAgent[]) =>
      statusLines(
        [
          project({
            jobs: [running],
            crews: [standing({ pending_decision: asked.id })],
            pending: [asked],
            agents,
          }),
        ],
        look,
      );
    const helper = agent({ id: "agt-2", owner: crew, status: "idle", decision_id: asked.id });
    assert.deepEqual(lines([agent({ owner: own, last_line: "● Running the tests" }), helper]), [
      "shop  1 running, 1 waiting, 1 decision pending, 2 agents (1 working)",
      "  ?  crew-1          waiting  3m  dec-7k3m9x2p4q  crew helper         [idle] Stopped: Go on?",
      "  …  job-a2b3c4d5e6  working  1m                  release/1.0 · ship  ● Running the tests",
    ]);
    const about = (more: Partial<LiveAgent>, its: Partial<CrewView> = { status: "running" }) =>
      statusLines(
        [project({ crews: [standing(its)], agents: [agent({ id: "agt-2", owner: crew, ...more })] })],
        look,
      )
        .at(1)
        ?.replace(/.*crew helper */, "");
    const owed = [{ decision_id: "dec-1", state: "owed", attempts: 2, waits_for: "", task: false }] as const;
    assert.equal(about({ owed: [...owed] }), "answered, not delivered yet: dec-1 (2 attempts)");
    assert.equal(about({ gate: "npm test" }), "running its gate: npm test");
    assert.equal(about({ cooling_until_ms: NOW + 40_000 }), "retries in 40s");
    assert.equal(
      about({ status: "starting", queued: { max: 2, ahead: 1 } }),
      "max_concurrency is 2: 1 other builder must end first",
    );
    const error = { kind: "rate_limited", message: "429 too many requests" };
    assert.equal(
      about({ status: "errored", error, cooling_until_ms: NOW + 40_000 }),
      "429 too many requests; retries in 40s",
    );
    for (const status of ["idle", "prompting", "exited"] as const)
      assert.equal(
        about({ status, dismissed: true, owed: [...owed] }, { status: "waiting" }),
        "its decision was dismissed; continue with oj crew resume crew-1",
      );
  });

  it("tells what was said to an agent and waits, with the reason, whole, and not that its task does at first", () => {
    const running = job({ id: "job-run", status: "running", steps: [step({ status: "running" })] });
    const owner = { kind: "job", id: running.id, name: running.name, step: "ship" } as const;
    const asked = decision({ title: "Bash: git push", source: "approval", agent_id: "agt-1" });
    const busy = "the agent is working; it gets this when it stops";
    const dialog = "the agent is showing another dialog, which has to be answered first";
    const message = (waits_for: string, more = {}) =>
      ({ decision_id: null, state: "owed", attempts: 0, waits_for, task: false, ...more }) as const;
    const lines = (agents: LiveAgent[], more: Partial<ProjectStatus> = {}, width = 80) =>
      statusLines([project({ jobs: [running], agents, ...more })], { ...look, width });
    const task = message(busy, { task: true });
    const row = "  …  job-run  1m  release/1.0 · ship";
    assert.deepEqual(lines([agent({ owner, owed: [task], changed_at_ms: NOW - 59_000 })]).slice(1), [
      row.replace("1m", "59s"),
    ]);
    for (const it of [
      agent({ owner, owed: [task], changed_at_ms: NOW - 60_000 }), // it is late
      agent({ owner, owed: [message(busy)] }),
    ])
      assert.deepEqual(lines([it]), [
        "shop  1 running, 1 message not delivered, 1 agent (1 working)",
        row,
        `      a message waits: ${busy}`,
      ]);
    const behind = message("something else has to reach the agent first");
    const two = lines([agent({ owner, owed: [task, behind], changed_at_ms: NOW })]);
    assert.deepEqual(two.slice(2), [`      a message waits: ${busy}`], "what holds up the first");
    const waiting = { ...running, status: "waiting", pending_decision: asked.id } as const;
    const prompting = agent({
      owner,
      status: "prompting",
      decision_id: asked.id,
      owed: [message(dialog, { attempts: 1 })],
    });
    assert.deepEqual(lines([prompting], { jobs: [waiting], pending: [asked] }, 60), [
      "shop  1 waiting, 1 decision pending, 1 message not",
      "  delivered, 1 agent (0 working)",
      "  ?  dec-7k3m9x2p4q  3m  release/1.0 · …",
      "      [approval] Bash: git push",
      "      a message waits: the agent is showing another dialog,",
      "      which has to be answered first (1 attempt)",
    ]);
  });

  it("leaves the state to the mark if room is scarce, and keeps to one line each", () => {
    const waiting = job({ pending_decision: "dec-7k3m9x2p4q" });
    const asked = decision({ title: "Ship this long awaited version of the shop now?" });
    assert.deepEqual(
      statusLines([project({ jobs: [waiting], pending: [asked] })], {
        ...look,
        width: 80,
      }).slice(1),
      ["  ?  dec-7k3m9x2p4q  3m  release/1.0 · ship  [step] Ship this long awaited vers…"],
    );
  });

  it("shows first what hangs and what failed unseen, with the ids to type next", () => {
    const running = job({ status: "running", steps: [step({ status: "running" })] });
    const own = { kind: "job", id: running.id, name: running.name, step: "ship" } as const;
    const title = "Hung: no output and no report for 10 minutes";
    const asked = decision({ source: "idle", title, agent_id: "agt-1", owner: own });
    const failed: FailedRun = {
      ...{ id: "job-f4k3", project: "shop", name: "nightly", step: "build", error: "exit code 2" },
      ...{ exit_code: 2, tail: "make: *** [all] Error 2", agent_id: null, by: "ana" },
      ...{ created_at_ms: NOW - 300_000, failed_at_ms: NOW - 180_000 },
    };
    const session = {
      ...{ id: "3f2a91c0-1111-2222", project: "shop", cwd: "/home/ana/shop", turns: 3, pending: [] },
      ...{ turn_began_ms: NOW - 240_000, seen_at_ms: NOW - 120_000 },
    };
    const busy = { ...running, id: "job-busy" as const, name: "docs" };
    const agents = [
      agent({ id: "agt-2", owner: { ...own, id: "job-busy" }, last_line: "● Writing" }),
      agent({ owner: own, hung_since_ms: NOW - 780_000, decision_id: asked.id }),
    ];
    assert.deepEqual(
      statusLines(
        [
          project({
            jobs: [busy, { ...running, status: "waiting", pending_decision: asked.id }],
            pending: [asked],
            agents,
            failed: [failed],
            sessions: [session],
          }),
        ],
        look,
      ),
      [
        "shop  1 running, 1 waiting, 1 failed, 1 decision pending, 2 agents (1 working, 1 hung), 1 session",
        `  !  job-a2b3c4d5e6  hung     13m  dec-7k3m9x2p4q  release/1.0 · ship  [idle] ${title}`,
        "  ✗  job-f4k3        failed   3m                   nightly · build     exit code 2",
        "  …  job-busy        working  1m                   docs · ship         ● Writing",
        "  ·  3f2a91c0…       session  2m                   session in shop     turn 3, begun 4 minutes ago",
      ],
    );
  });

  it("says how to continue a job whose decision was dismissed", () => {
    const [, line = ""] = statusLines([project({ jobs: [job({})] })], look);
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
