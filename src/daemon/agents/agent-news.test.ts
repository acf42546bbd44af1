import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentDef } from "../../../test/fakes/agents.ts";
import { jobDef, jobInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import type { Observation } from "../../core/agent/agent.ts";
import { agentGateEnded, observe } from "../../core/agent/agent.ts";
import { startJob } from "../../core/control/job.ts";
import { startCrew } from "../../core/flow/agent-start.ts";
import type { AgentDef } from "../../core/model/runbook.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { startDecisionNotices } from "../engine/decision-notices.ts";
import { startEngine } from "../engine/engine.ts";
import { startJobLog } from "../engine/job-log.ts";
import { startNotifications } from "../engine/notifications.ts";

const notify = {
  on_start: "begins ${var.what}",
  on_done: "is done",
  on_fail: "failed",
  on_decision: "asks ${var.missing}",
};

/** An agent of a job or a crew, with what people are told about it and what the job's log says. */
async function world(more: Partial<AgentDef>, kind: "job" | "crew" = "job") {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  startNotifications(engine, ports, () => false);
  startDecisionNotices(engine, ports, () => false);
  startJobLog(engine, ports);
  const def = { ...agentDef(), ...more };
  if (kind === "job") {
    const input = jobInput(
      jobDef({ build: { run: { type: "agent", agent: def.name } } }, { vars: ["what"] }),
    );
    const library = { ...input.library, agents: { [def.name]: def } };
    await engine.run((state, moment) =>
      startJob(state, { ...input, library, vars: { what: "it" }, id: "job-1" }, moment),
    );
  } else {
    const at = { env: {}, invoke: "/", root: "/", by: "ana" };
    const crew = { id: "crew-1", project: "p", name: "helper", def, args: { what: "it" }, ...at } as const;
    await engine.run((state, moment) => startCrew(state, crew, moment));
  }
  const id = await engine.read((state) => [...state.agents.keys()][0] ?? assert.fail("no agent"));
  const seen = (what: Observation) =>
    engine.run((state, moment) => observe(state, { id, seen: what }, moment));
  await seen({ type: "spawned", incarnation: 1 });
  const said = () => ports.notifier.told.map(({ title, text }) => `${title} | ${text}`);
  const lines = () => ports.files.text("job-1").trimEnd().split("\n");
  const pass = (ms: number) => {
    ports.clock.pass(ms);
    return engine.read(() => null); // what the clock has begun
  };
  return { engine, id, said, lines, seen, pass };
}

const exited = { type: "exited", incarnation: 1, code: 7, signal: null, error: null, tail: "" } as const;
const signalled = { type: "signalled", signal: "done", message: null, tail: "" } as const;

describe("a notification about an agent", () => {
  it("is sent when it starts, asks and is done, and only once", async () => {
    const { said, seen, pass } = await world({ notify });
    await seen({ type: "stopped", last_message: "Shall I?", tail: "" });
    await pass(1000);
    await seen(signalled);
    assert.deepEqual(said(), [
      "oj: work · build | begins it",
      "oj: work · build [idle] Stopped: Shall I? | asks ${var.missing}",
      "oj: work · build | is done",
    ]);
  });

  it("is sent when it fails, for a crew too, and not when it is started again", async () => {
    const { said, seen } = await world({ notify, on_dead: { action: "resume" } }, "crew");
    await seen(exited);
    await seen({ type: "spawned", incarnation: 2 });
    await seen({ type: "signalled", signal: "fail", message: "no way", tail: "" });
    assert.deepEqual(said(), ["oj: helper | begins it", "oj: helper | failed"]);
  });
});

describe("a job's log", () => {
  it("has lines for an agent's step: its start, its gates, its questions, and its end", async () => {
    const { engine, id, lines, seen } = await world({ on_signal: { action: "gate", run: "npm test\ntrue" } });
    const outcome = { exit_code: 1, error: null, output: "1 failing", prime: "", tail: "" };
    for (const _ of ["sent back", "asked about"]) {
      await seen(signalled);
      const run_id = await engine.read(
        (state) => state.agents.get(id)?.gate?.run_id ?? assert.fail("no gate"),
      );
      await engine.run((state, moment) => agentGateEnded(state, { id, run_id, ...outcome }, moment));
    }
    const [asked] = await engine.read((state) => [...state.pending]);
    await seen({ type: "signalled", signal: "fail", message: "no way\nat all", tail: "" });
    assert.match(lines()[0] ?? "", new RegExp(`^── build \\(agent builder, ${id}\\) ─+$`));
    assert.deepEqual(lines().slice(1), [
      "── build: gate: npm test",
      "── build: gate: failed, exit code 1",
      "── build: gate: npm test",
      "── build: gate: failed, exit code 1",
      `── build: asks ${asked}: Gate failed (exit code 1): npm test`,
      "── build: failed: no way",
    ]);
  });
});
