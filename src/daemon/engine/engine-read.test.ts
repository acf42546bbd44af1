import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { jobDef, jobInput } from "../../../test/fakes/core.ts";
import { freeze } from "../../../test/fakes/frozen.ts";
import { call, hookedAgent } from "../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { sendToAgent } from "../../core/control/agent-send.ts";
import { cancelCrew } from "../../core/control/crew.ts";
import { shellEnded, startJob } from "../../core/control/job.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { Agent, Crew } from "../../core/model/agent-types.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import type { Fixed } from "../../core/model/fixed.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { Job } from "../../core/model/job-types.ts";
import type { Queue } from "../../core/model/queue-types.ts";
import { sessionRecipient } from "../../core/model/queue-types.ts";
import type { HookedSession } from "../../core/model/session-types.ts";
import type { State } from "../../core/model/state/state.ts";
import { choreFailed } from "../../core/outbox/chore.ts";
import { drain, enqueue } from "../../core/outbox/queue.ts";
import { clearTurn } from "../../core/session/turn.ts";

const recipient = sessionRecipient("s1");
const from = { session: "s1", cwd: "/shop", client: null, project: "shop" };
const words = { project: "shop", kind: "message", decision_id: null, from: "ana", recipient } as const;

/**
 * One of everything in the state: an agent with a pending question about its dialog, its crew, a job, a session with a
 * queue.
 */
async function everything() {
  const it = await hookedAgent();
  const { engine, send, pending } = it;
  await engine.run((state, moment) =>
    startJob(state, { ...jobInput(jobDef({ a: {}, b: {} })), id: "job-1" }, moment),
  );
  await engine.run((state) => clearTurn(state, from));
  await engine.run((state) => enqueue(state, { ...words, id: "m1", text: "Hello." }));
  await send(call("PreToolUse", "touch made"));
  void send(call("PermissionRequest", "touch made"));
  await settled();
  const asked = (await pending())[0]?.id ?? assert.fail("nobody is asked");
  return { ...it, asked };
}

const look = (id: Agent["id"], asked: DecisionId) => (state: State) => ({
  agent: state.agents.get(id),
  crew: state.crews.get("crew-1"),
  job: state.jobs.get("job-1"),
  decision: state.decisions.get(asked),
  session: state.sessions.get("s1"),
  queue: state.queues.get(recipient),
  agents: [...state.agents.values()],
  decisions: [...state.decisions.values()],
});

describe("what was read", () => {
  it("stays as it was, whatever happens next", async () => {
    const { engine, id, asked } = await everything();
    const before = freeze(await engine.read(look(id, asked))); // a fold that changed it would throw
    const copy = structuredClone(before);
    const run_id = before.job?.steps[0]?.run_id ?? assert.fail("no run");
    const given = { choices: [], option: "approve", text: null, message: "Test it.", by: "ana" };
    await engine.run((state, moment) => resolveDecision(state, { id: asked, ...given, via: "cli" }, moment));
    await engine.run((state, moment) => sendToAgent(state, { id, text: "Go on." }, moment));
    const outcome = { run_id, job_id: "job-1", exit_code: 0, error: null, output: "" } as const;
    await engine.run((state, moment) => shellEnded(state, outcome, moment));
    await engine.run((state) => clearTurn(state, from));
    await engine.run((state) => enqueue(state, { ...words, id: "m2", text: "Again." }));
    const taken = { recipient, drain_id: "d1", limit: 10, open: true };
    await engine.run((state, moment) => drain(state, taken, moment));
    await engine.run((state, moment) => cancelCrew(state, { id: "crew-1", by: "ana", reason: null }, moment));
    assert.deepEqual(before, copy);
    const after = await engine.read(look(id, asked));
    for (const part of Object.keys(after) as (keyof typeof after)[])
      assert.notDeepEqual(after[part], copy[part], `${part} has changed`);
  });

  it("stays as it was for whoever watches, too", async () => {
    const { engine, id } = await everything();
    const seen: Agent[] = [];
    const copies: Agent[] = [];
    engine.watch((_, state) => {
      const agent = state.agents.get(id) ?? assert.fail("gone");
      seen.push(freeze(agent));
      copies.push(structuredClone(agent));
    });
    for (const text of ["One.", "Two.", "Three."])
      await engine.run((state, moment) => sendToAgent(state, { id, text }, moment));
    assert.deepEqual(seen, copies);
    assert.deepEqual(
      seen.map((it) => it.outbox.length),
      [1, 2, 3],
    );
  });

  it("can't be changed by whoever read it: the build stops", async () => {
    const { engine, id, asked } = await everything();
    const { agent, job, decision, queue } = freeze(await engine.read(look(id, asked)));
    assert.ok(agent && job && decision && queue);
    const attempts = [
      // @ts-expect-error a field
      () => (agent.status = "idle"),
      // @ts-expect-error a list
      () => agent.outbox.push(),
      // @ts-expect-error a field of an item in a list
      () => (job.steps[0].status = "failed"),
      // @ts-expect-error a record
      () => (job.routes.on_fail = 1),
      // @ts-expect-error deep inside
      () => (decision.delivery.state = "failed"),
      // @ts-expect-error a list deep inside
      () => queue.drains[0]?.entries.push(),
    ];
    for (const attempt of attempts) {
      try {
        attempt();
      } catch (error) {
        assert.ok(error instanceof TypeError);
      }
    }
    await engine.run((state, moment) => choreFailedOf(state, moment.at_ms));
    assert.equal((await engine.read((state) => state.agents.get(id)))?.status, "prompting");
  });

  it("is no part of the state itself: neither a table nor what walks through one", async () => {
    const { engine } = await everything();
    type Read<T> = Awaited<ReturnType<typeof engine.read<T>>>;
    const refused: [
      Same<Read<State>, never>,
      Same<Read<State["agents"]>, never>,
      Same<Read<State["decisions"]>, never>,
      Same<Read<State["pending"]>, never>,
      Same<Read<{ of: { all: State["jobs"] } }>, never>,
      Same<Read<State["queues"][]>, never>,
      Same<Read<ReturnType<State["agents"]["values"]>>, never>,
      Same<Read<() => Agent>, never>,
    ] = [true, true, true, true, true, true, true, true];
    const kept: [
      Same<Read<Agent | null>, Agent | null>,
      Same<Read<Decision[]>, Decision[]>,
      Same<Read<Set<DecisionId>>, Set<DecisionId>>,
      Same<Read<{ seq: number; ids: DecisionId[] }>, { seq: number; ids: DecisionId[] }>,
    ] = [true, true, true, true];
    assert.ok(refused && kept);
  });

  it("is fixed by type, however deep", () => {
    const fixed: [
      Same<Fixed<Agent>, Agent>,
      Same<Fixed<Crew>, Crew>,
      Same<Fixed<Job>, Job>,
      Same<Fixed<Decision>, Decision>,
      Same<Fixed<HookedSession>, HookedSession>,
      Same<Fixed<Queue>, Queue>,
    ] = [true, true, true, true, true, true];
    assert.ok(fixed);
  });
});

/** Unlike an assignment, this tells readonly types from mutable ones. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function choreFailedOf(state: State, at_ms: number) {
  const [agent] = state.agents.values();
  const { id: agent_id, incarnation, project } = agent ?? assert.fail("gone");
  const effect = { type: "start-agent", agent_id, incarnation, project } as const;
  return choreFailed({ effect, attempt: 1, error: "no tmux" }, { at_ms });
}
