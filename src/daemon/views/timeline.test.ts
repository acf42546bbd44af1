import assert from "node:assert/strict";
import { it } from "vitest";
import { asker, jobDef, jobInput, requestInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { startJob } from "../../core/control/job.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { Event } from "../../core/model/events.ts";
import type { DecisionId, JobId } from "../../core/model/ids.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { requestDecision } from "../../core/request/request.ts";
import { startEngine } from "../engine/engine.ts";
import { timeline } from "./timeline.ts";

function setup() {
  const ports = fakePorts();
  const { log, clock } = ports;
  const engine = startEngine(ports, emptyState());
  let looked = 0;
  const counting = {
    look: log.look,
    find: (...input: Parameters<typeof log.find>) => {
      looked += 1;
      return log.find(...input);
    },
  };

  async function ask(prompt: string): Promise<DecisionId> {
    const requester = asker("ana", { is_agent: false });
    const [event] = await engine.run((state, moment) =>
      requestDecision(state, requestInput({ prompt, requester }), moment),
    );
    return (event as { id: DecisionId }).id;
  }
  /** This many events about other decisions, a second apart. */
  async function others(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await ask(`other ${n}`);
      clock.pass(1000);
    }
  }
  const answer = (id: DecisionId) =>
    engine.run((state, moment) =>
      resolveDecision(
        state,
        { id, choices: [[1]], text: null, message: null, by: "ben", via: "cli" },
        moment,
      ),
    );
  async function of(id: DecisionId | JobId, after: number | null = null) {
    const created_at_ms = await engine.read(
      (state) => (state.decisions.get(id as DecisionId) ?? state.jobs.get(id as JobId))?.created_at_ms ?? 0,
    );
    const how = { tip: engine.seq(), after, abort: new AbortController().signal };
    return timeline(counting, { id, created_at_ms }, how);
  }
  return { engine, clock, log, ask, answer, others, of, looked: () => looked };
}

const types = (events: readonly Event[]) => events.map((it) => it.type);

it("a timeline shows what happened to a decision, and starts reading where it was made", async () => {
  const { ask, answer, others, of, looked } = setup();
  await others(2500);
  const id = await ask("mine");
  await others(200);
  await answer(id);
  const { events, next } = await of(id);
  assert.deepEqual([types(events), next], [["decision:created", "decision:resolved"], null]);
  assert.ok(looked() <= 2, `${looked()} looks`);
});

it("a timeline is found even if the clock was set far back before the decision was made", async () => {
  const { ask, others, of, clock } = setup();
  await others(1500);
  clock.jump(-86_400_000);
  const id = await ask("mine");
  clock.jump(86_400_000);
  await others(1500);
  assert.deepEqual(types((await of(id)).events), ["decision:created"]);
});

it("a timeline of a job includes its steps and its decisions, in order", async () => {
  const { engine, others, answer, of } = setup();
  await others(10);
  const def = jobDef({ ask: { decision: {} }, work: {} });
  const events = await engine.run((state, moment) =>
    startJob(state, { ...jobInput(def), id: "job-2345678923" }, moment),
  );
  const job = events.find((it) => it.type === "job:created") as { id: JobId } & Event;
  const asked = await engine.read((state) => [...state.pending].at(-1) as DecisionId);
  await others(10);
  await answer(asked);
  const { events: told } = await of(job.id);
  const seqs = told.map((it) => it.seq);
  assert.deepEqual(
    seqs,
    [...seqs].sort((a, b) => a - b),
  );
  assert.equal(new Set(seqs).size, seqs.length);
  for (const type of [
    "job:created",
    "step:waiting",
    "decision:created",
    "decision:resolved",
    "step:completed",
  ])
    assert.ok(types(told).includes(type as Event["type"]), `${type} in ${types(told)}`);
  assert.ok(told.every((it) => JSON.stringify(it).includes(job.id) || JSON.stringify(it).includes(asked)));
});

it("a long timeline comes in parts", async () => {
  const { engine, ask, of } = setup();
  const id = await ask("mine");
  for (let n = 0; n < 1500; n++)
    await engine.run(() => [{ type: "decision:delivered", id, project: "shop", attempt: n }]);
  const first = await of(id);
  assert.ok(first.events.length <= 1000 && first.next !== null);
  const rest = await of(id, first.next);
  assert.deepEqual([first.events.length + rest.events.length, rest.next], [1501, null]);
});
