/** Two daemons on one PostgreSQL: everyone answers everything at once. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { resolveDecision } from "../../src/core/decision/give.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { encodeState } from "../../src/core/model/state/state-text.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import type { Engine } from "../../src/daemon/engine/engine.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import { loadState } from "../../src/daemon/engine/load-state.ts";
import { EVERYTHING } from "../everything.ts";
import { asker, requestInput } from "../fakes/core.ts";
import { fakeJournal } from "../fakes/fake-journal.ts";
import { logAt, noPostgres, sharedServer } from "./postgres-support.ts";
import { until } from "./temp.ts";

const server = sharedServer();
const RESOLVERS = 64;
const DECISIONS = EVERYTHING ? 2000 : 300;

async function daemonOn(url: string) {
  const log = logAt(url, { turnWithinMs: 120_000 }); // a thousand rules in one turn, on a busy machine
  const { state } = await loadState(log);
  const journal = fakeJournal();
  const engine = startEngine({ log, clock: systemClock, random: randomBytes, journal }, state);
  onTestFinished(async () => {
    await engine.stop();
    await log.close();
  });
  return { log, engine };
}

const request = requestInput({ requester: asker("ana", { is_agent: false }) });

async function ask(engine: Engine, n: number): Promise<DecisionId> {
  const rule = engine.run((state, moment) => requestDecision(state, { ...request, prompt: `${n}` }, moment));
  return ((await rule)[0] as { id: DecisionId }).id;
}

function answer(engine: Engine, id: DecisionId, by: string) {
  const given = { id, choices: [[1]], text: null, message: null, by, via: "cli" as const };
  return engine.run((state, moment) => resolveDecision(state, given, moment));
}

describe.skipIf(noPostgres !== null)("two daemons on one PostgreSQL", () => {
  it("have one winner for each decision, tell every loser who, and end with the same state", async () => {
    const url = await server().database();
    const [a, b] = [await daemonOn(url), await daemonOn(url)];
    const ids = await Promise.all(
      Array.from({ length: DECISIONS }, (_, n) => ask(n % 2 ? a.engine : b.engine, n)),
    );
    await until(async () => [a, b].every(({ engine }) => engine.seq() === DECISIONS));
    const winners = new Map<DecisionId, string[]>();
    const losers: { id: DecisionId; message: string }[] = [];

    /** Answers all of them, each resolver from another place on. */
    async function resolver(engine: Engine, name: string, from: number): Promise<void> {
      for (let n = 0; n < ids.length; n++) {
        const id = ids[(from + n) % ids.length] as DecisionId;
        await answer(engine, id, name).then(
          () => winners.set(id, [...(winners.get(id) ?? []), name]),
          (error: Error) => losers.push({ id, message: error.message }),
        );
      }
    }
    const all = [a, b].flatMap(({ engine }, d) =>
      Array.from({ length: RESOLVERS }, (_, n) =>
        resolver(engine, `p${d}-${n}`, Math.floor((n * ids.length) / RESOLVERS)),
      ),
    );
    await Promise.all(all);

    assert.equal(winners.size, DECISIONS);
    for (const names of winners.values()) assert.equal(names.length, 1);
    assert.equal(losers.length, DECISIONS * (2 * RESOLVERS - 1));
    for (const { id, message } of losers) {
      const [winner] = winners.get(id) ?? [];
      assert.match(message, new RegExp(`by ${winner}\\b`), `${id} was won by ${winner}`);
    }
    const tip = 2 * DECISIONS;
    await until(async () => [a, b].every(({ engine }) => engine.seq() === tip));
    const events = await a.log.read(0, tip + 1);
    assert.equal(events.length, tip);
    const replayed = encodeState(replay(events));
    assert.equal(await a.engine.read(encodeState), replayed);
    assert.equal(await b.engine.read(encodeState), replayed);
    assert.equal(await a.log.verify(), null);
  });

  it("hear from each other without writing anything themselves", async () => {
    const url = await server().database();
    const [a, b] = [await daemonOn(url), await daemonOn(url)];
    const seen: number[] = [];
    b.engine.watch((events) => void seen.push(...events.map((it) => it.seq)));
    for (let n = 0; n < 5; n++) await ask(a.engine, n);
    await until(async () => seen.length === 5);
    assert.deepEqual(seen, [1, 2, 3, 4, 5]);
    assert.equal(await b.engine.read((state) => state.pending.size), 5);
  });
});
