import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { jobDef, jobInput } from "../../../test/fakes/core.ts";
import type { FakeLog } from "../../../test/fakes/fake-log.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { shellEnded, startJob } from "../../core/control/job.ts";
import { holdAnswer, releaseAnswer } from "../../core/decision/give.ts";
import { undoAnswer } from "../../core/decision/undo.ts";
import type { Effect } from "../../core/model/effects.ts";
import { effectKey } from "../../core/model/effects.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { emptyState, replay } from "../../core/model/state/state.ts";
import type { Recorder } from "./chores.ts";
import { startChores } from "./chores.ts";
import { startEngine } from "./engine.ts";

/** A daemon's engine and chores over the given log, with a performer that the test controls. */
function setup(perform: (effect: Effect, record: Recorder) => Promise<void>, before?: FakeLog) {
  const ports = fakePorts(before && { log: before });
  const { log, clock } = ports;
  const engine = startEngine(ports, replay(log.committed(), emptyState()));
  const begun: string[] = [];
  const chores = startChores(engine, ports, async (effect, record) => {
    begun.push(effectKey(effect));
    await perform(effect, record);
  });
  const start = (steps: Parameters<typeof jobDef>[0]) =>
    engine.run((state, moment) =>
      startJob(state, { ...jobInput(jobDef(steps)), id: moment.id("job") }, moment),
    );
  return { log, clock, engine, chores, begun, start };
}

const succeed = async (effect: Effect, record: Recorder) => {
  if (effect.type !== "run-shell") return;
  const { job_id, run_id } = effect;
  await record((state, moment) =>
    shellEnded(state, { job_id, run_id, exit_code: 0, error: null, output: "" }, moment),
  );
};

describe("chores", () => {
  it("follow from facts, each once, until the job is done", async () => {
    const { begun, engine, start } = setup(succeed);
    await start({ a: {}, b: {}, c: {} });
    await settled(60);
    assert.equal(begun.length, 3);
    assert.deepEqual(await engine.read((state) => [...state.jobs.values()].map((job) => job.status)), [
      "completed",
    ]);
  });

  it("begin only when their fact is on disk", async () => {
    const { begun, start, log } = setup(succeed);
    log.hold();
    const starting = start({ a: {} });
    await settled();
    assert.deepEqual(begun, []);
    log.release();
    await starting;
    await settled();
    assert.equal(begun.length, 1);
  });

  it("that fail are recorded and retried, later each time", async () => {
    let failures = 3;
    const { begun, engine, start, clock } = setup(async (effect, record) => {
      if (failures-- > 0) throw new Error("no luck");
      await succeed(effect, record);
    });
    await start({ a: {} });
    await settled();
    for (const wait of [1000, 2000, 4000]) {
      const before = begun.length;
      clock.pass(wait - 1);
      await settled();
      assert.equal(begun.length, before, `not before ${wait} ms`);
      clock.pass(1);
      await settled(60);
      assert.equal(begun.length, before + 1);
    }
    assert.deepEqual(await engine.read((state) => [...state.jobs.values()].map((job) => job.status)), [
      "completed",
    ]);
    assert.equal(await engine.read((state) => state.retries.size), 0);
  });

  it("that were owed at a crash are taken up by the next daemon, retries at their time", async () => {
    const first = setup(async () => {
      throw new Error("no luck");
    });
    await first.start({ a: {} });
    await settled();
    await first.chores.stop();
    const second = setup(succeed, first.log);
    await second.chores.begin();
    await settled();
    assert.deepEqual(second.begun, []);
    second.clock.pass(1000);
    await settled(60);
    assert.equal(second.begun.length, 1);
  });

  it("have their outcome recorded even if the disk is full for a while", async () => {
    const { engine, start, log, clock } = setup(async (effect, record) => {
      for (let n = 0; n < 3; n++) log.failNext(new Refusal("store.full", "full"));
      await succeed(effect, record);
    });
    await start({ a: {} });
    for (let n = 0; n < 20; n++) {
      await settled();
      clock.pass(1000);
    }
    await settled(60);
    assert.deepEqual(await engine.read((state) => [...state.jobs.values()].map((job) => job.status)), [
      "completed",
    ]);
  });

  it.each([-2, 2].map((hours) => hours * 3_600_000))(
    "come in time even if the clock is set by %i ms meanwhile",
    async (jump) => {
      let failures = 1;
      const { begun, engine, start, clock } = setup(async (effect, record) => {
        if (effect.type === "release-answer")
          await record((state, moment) => releaseAnswer(state, { id: effect.decision_id }, moment));
        else if (failures-- > 0) throw new Error("no luck");
        else await succeed(effect, record);
      });
      await start({ a: {}, ask: { decision: {} } });
      await settled();
      clock.jump(jump);
      clock.pass(1000);
      await settled(60);
      assert.equal(begun.length, 2, "the retry");
      const [id] = await engine.read((state) => [...state.pending]);
      const answer = { choices: [[1]], text: null, message: null, by: "ana", via: "web" } as const;
      await engine.run((state, moment) =>
        holdAnswer(state, { ...answer, choices: [[1]], id: id ?? "", delay_ms: 5000 }, moment),
      );
      await settled();
      clock.jump(jump);
      clock.pass(5000);
      await settled(60);
      assert.equal(await engine.read((state) => state.decisions.get(id as DecisionId)?.state), "resolved");
    },
  );

  it("drop the timer of what is settled: nothing is left to look after", async () => {
    const { clock, engine, start } = setup(async () => {});
    await start({ ask: { decision: {} } });
    const [id = ""] = await engine.read((state) => [...state.pending]);
    const answer = { choices: [[1]], text: null, message: null, by: "ana", via: "web" } as const;
    await engine.run((state, moment) =>
      holdAnswer(state, { ...answer, choices: [[1]], id, delay_ms: 30 * 86_400_000 }, moment),
    );
    await settled();
    clock.pass(60_000);
    assert.equal(clock.armed(), 1);
    await engine.run((state, moment) => undoAnswer(state, { id, by: "ana" }, moment));
    clock.pass(60_000);
    assert.equal(clock.armed(), 0);
  });

  it("that are late are reported while they are under way, except scripts", async () => {
    const { chores, start, clock } = setup(() => new Promise(() => {}));
    await start({ a: {} });
    await settled();
    clock.pass(60_000);
    assert.deepEqual(chores.late(), []);
  });

  it("stop when told, with their timers", async () => {
    const { begun, start, clock, chores } = setup(async () => {
      throw new Error("no luck");
    });
    await start({ a: {} });
    await settled();
    await chores.stop();
    clock.pass(1_000_000);
    await settled();
    assert.equal(begun.length, 1);
  });
});
