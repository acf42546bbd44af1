import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { jobDef, jobInput } from "../../../test/fakes/core.ts";
import type { FakeLog } from "../../../test/fakes/fake-log.ts";
import { fakeLog } from "../../../test/fakes/fake-log.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { shellEnded, startJob } from "../../core/control/job.ts";
import { machineJoined } from "../../core/control/machine.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { Effect } from "../../core/model/effects.ts";
import type { DecisionId, JobId } from "../../core/model/ids.ts";
import { emptyState, replay } from "../../core/model/state/state.ts";
import { encodeState } from "../../core/model/state/state-text.ts";
import type { Presence } from "../../ports.ts";
import { startChores } from "./chores.ts";
import { startEngine } from "./engine.ts";
import { atHome, startMachines } from "./machines.ts";

const SHIP = jobDef({ build: {}, ask: { decision: {} }, ship: {} });

/** A daemon of that machine; its shell steps succeed at once, and it writes down what it did. */
async function daemonAt(name: string, log: FakeLog, away: Record<string, number | null>) {
  const there = (): Presence[] =>
    Object.entries(away).map(([it, for_ms]) => ({
      name: it,
      away: for_ms === null ? null : { since_ms: 1, for_ms },
    }));
  const ports = fakePorts({ log: { ...log, machines: async () => there() } as FakeLog });
  const state = replay(log.committed(), emptyState());
  const engine = startEngine(ports, state, { machine: () => name });
  await engine.run((it) => machineJoined(it, { key: `key of ${name}`, name }));
  const did: string[] = [];
  const machines = startMachines(ports, name, () => void chores.takeUp());
  await machines.look();
  const chores = startChores(
    engine,
    ports,
    async (effect, record) => {
      did.push(effect.type);
      if (effect.type !== "run-shell") return;
      const { job_id, run_id } = effect;
      const end = { job_id, run_id, exit_code: 0, error: null, output: "" };
      await record((it, moment) => shellEnded(it, end, moment));
    },
    undefined,
    machines.keeps,
  );
  const start = async () => {
    const [created] = await engine.run((it, moment) =>
      startJob(it, { ...jobInput(SHIP), id: moment.id("job") }, moment),
    );
    return (created as { id: JobId }).id;
  };
  const pending = () => engine.read((it) => [...it.pending]);
  const answer = (id: DecisionId) =>
    engine.run((it, moment) =>
      resolveDecision(it, { id, choices: [[1]], text: null, message: null, by: "bob", via: "cli" }, moment),
    );
  return { engine, state, machines, chores, did, start, pending, answer, ports, clock: ports.clock };
}

describe("daemons that share a log", () => {
  it("run the chores of their own jobs alone, whoever answers", async () => {
    const log = fakeLog();
    const away = { anvil: null, bellows: null };
    const [a, b] = [await daemonAt("anvil", log, away), await daemonAt("bellows", log, away)];
    const job = await a.start();
    await settled(100);
    assert.deepEqual([a.did, b.did], [["run-shell"], []]);
    await b.engine.run(() => []); // reads what the other one wrote
    const [asked] = await b.pending();
    assert.ok(asked);
    assert.equal(await b.engine.read((it) => it.decisions.get(asked)?.machine ?? null), "anvil");
    await b.answer(asked);
    await a.engine.run(() => []);
    await settled(100);
    assert.deepEqual([a.did, b.did], [["run-shell", "run-shell"], []]);
    await b.engine.run(() => []);
    assert.equal(await b.engine.read((it) => it.jobs.get(job)?.status ?? null), "completed");
    assert.equal(encodeState(a.state), encodeState(b.state));
  });

  it("see only what lives with them where terminals are concerned", async () => {
    const log = fakeLog();
    const away = { anvil: null, bellows: null };
    const [a, b] = [await daemonAt("anvil", log, away), await daemonAt("bellows", log, away)];
    const job = await a.start();
    await settled(100);
    await b.engine.run(() => []);
    const jobsOf = (it: typeof a, name: string) =>
      atHome(it.engine, name).read((state) => [...state.jobs.keys()]);
    assert.deepEqual(await jobsOf(a, "anvil"), [job]);
    assert.deepEqual(await jobsOf(b, "bellows"), []);
    assert.deepEqual(await b.engine.read((state) => [...state.jobs.keys()]), [job]);
  });

  it("leave what is older than all of them to the first", async () => {
    const log = fakeLog();
    const before = startEngine(fakePorts({ log }), emptyState());
    await before.run((it, moment) => startJob(it, { ...jobInput(SHIP), id: moment.id("job") }, moment));
    await before.stop();
    const away = { anvil: null, bellows: null };
    const [a, b] = [await daemonAt("anvil", log, away), await daemonAt("bellows", log, away)];
    await a.chores.begin();
    await b.chores.begin();
    await settled(100);
    assert.deepEqual([a.did, b.did], [["run-shell"], []]);
  });

  it("miss one that the log knows and the store does not, but not one that has just joined", async () => {
    const log = fakeLog();
    await daemonAt("anvil", log, { anvil: null });
    const away: Record<string, number | null> = { bellows: null };
    const { machines, clock } = await daemonAt("bellows", log, away);
    assert.deepEqual([machines.awaySince("anvil"), machines.isPresent("anvil")], [null, false]);
    const start = clock.now();
    clock.pass(20_000);
    assert.equal(machines.awaySince("anvil"), start);
    away.anvil = null;
    await machines.look();
    assert.deepEqual([machines.awaySince("anvil"), machines.isPresent("anvil")], [null, true]);
    machines.stop();
  });

  it("leave what one asks that has just joined to it, also before they looked who is there", async () => {
    const log = fakeLog();
    const there: Record<string, number | null> = { anvil: null };
    const anvil = await daemonAt("anvil", log, there);
    const bellows = await daemonAt("bellows", log, { anvil: null, bellows: null });
    await bellows.start();
    await settled(100);
    await anvil.engine.run(() => []); // reads what the other one wrote
    const [decision_id = "dec-" as DecisionId] = await anvil.pending();
    const tell = { type: "tell", decision_id, key: "k", face: "f", from_ms: 0, until_ms: 0 } as const;
    const effect: Effect = { ...tell, project: "shop" };
    const keepers = () => [anvil, bellows].filter((it) => it.machines.keeps(it.state, effect));
    assert.deepEqual(keepers(), [bellows]);
    const { keeps, stop } = startMachines(anvil.ports, "anvil", () => {});
    assert.equal(keeps(anvil.state, effect), false, "before the first look");
    stop();

    let changes = 0;
    anvil.machines.stop();
    const machines = startMachines(anvil.ports, "anvil", () => void changes++);
    await machines.look();
    assert.equal(machines.keeps(anvil.state, effect), false);
    anvil.clock.pass(31_000); // and the store has not seen it yet
    await settled(10);
    assert.deepEqual([machines.keeps(anvil.state, effect), changes > 0], [true, true]);
    there.bellows = null;
    await machines.look();
    assert.equal(machines.keeps(anvil.state, effect), false);
    machines.stop();
  });

  it("each keep a chore, or none does: never two", async () => {
    const log = fakeLog();
    const a = await daemonAt("anvil", log, { anvil: null });
    const job_id = await a.start();
    await settled(100);
    const [decision_id = "dec-" as DecisionId] = await a.pending();
    const project = "shop";
    const effects: Effect[] = [
      { type: "stop-shell", job_id, project, run_id: "run-1" },
      { type: "release-answer", decision_id, project, from_ms: 0, until_ms: 1 },
      { type: "expire", decision_id, project, from_ms: 0, until_ms: 1 },
      { type: "route", decision_id, project },
      { type: "tell", decision_id, project, key: "k", face: "f", from_ms: 0, until_ms: 0 },
    ];
    // for how long anvil has been away, and who then keeps what lives there: its shell, and what can wait no longer
    const cases: [away: number | null, shell: string[], rest: string[]][] = [
      [null, ["anvil"], ["anvil"]],
      [20_000, ["anvil"], ["anvil"]],
      [31_000, ["anvil"], ["bellows"]],
    ];
    for (const [for_ms, shell, rest] of cases) {
      const away = { anvil: for_ms, bellows: null, clamp: null };
      const all = await Promise.all(["anvil", "bellows", "clamp"].map((it) => daemonAt(it, log, away)));
      for (const [n, effect] of effects.entries()) {
        const keepers = all.filter((it) => it.machines.keeps(it.state, effect)).map((it) => it.machines.self);
        const others = keepers.filter((it) => it !== "anvil" || for_ms === null || for_ms < 30_000);
        assert.deepEqual(
          n === 0 ? keepers : others,
          n === 0 ? shell : rest,
          `${effect.type}, away ${for_ms}`,
        );
      }
      for (const it of all) it.machines.stop();
    }
  });
});
