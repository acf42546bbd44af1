import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { acknowledge, deliver } from "../../core/decision/decision.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Event, Fact } from "../../core/model/events.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { emptyState, replay } from "../../core/model/state/state.ts";
import { encodeState } from "../../core/model/state/state-text.ts";
import { requestDecision } from "../../core/request/request.ts";
import type { Rule } from "./engine.ts";
import { startEngine } from "./engine.ts";

const full = () => new Refusal("store.full", "the disk is full");

function setup() {
  const ports = fakePorts();
  const { log, clock } = ports;
  const engine = startEngine(ports, emptyState());
  const published: Event[] = [];
  engine.watch((events) => void published.push(...events));
  return { log, clock, engine, published };
}

const ask =
  (prompt: string): Rule =>
  (state, moment) =>
    requestDecision(state, { ...request, prompt }, moment);

const request = requestInput({ requester: asker("ana", { is_agent: false }) });

const answer =
  (id: DecisionId, by: string): Rule =>
  (state, moment) =>
    resolveDecision(state, { id, choices: [[1]], text: null, message: null, by, via: "cli" }, moment);

const others = (n: number): Fact =>
  requestDecision(emptyState(), request, {
    at_ms: 1,
    id: () => `dec-other-${n}`,
    clients: [],
  } as never)[0] as Fact;

const idOf = ([event]: Event[]): DecisionId => (event as { id: DecisionId }).id;

describe("durable before visible: the engine", () => {
  it("answers, publishes and lets others read only after the commit", async () => {
    const { log, engine, published } = setup();
    log.hold();
    let done = false;
    let seen: number | null = null;
    const running = engine.run(ask("a")).then(() => (done = true));
    const look = () => engine.read((state) => state.pending.size).then((size) => (seen = size));
    await settled();
    await look();
    assert.deepEqual([done, seen, published.length], [false, 0, 0]);
    log.release();
    await running;
    await look();
    assert.deepEqual([done, seen, published.length], [true, 1, 1]);
  });

  it("holds back a refusal until what it rests on is on disk", async () => {
    const { log, engine } = setup();
    const id = idOf(await engine.run(ask("a")));
    log.hold();
    const first = engine.run(answer(id, "ana"));
    let refused: Error | null = null;
    const second = engine.run(answer(id, "bob")).catch((error) => (refused = error));
    await settled();
    assert.equal(refused, null);
    log.release();
    await first;
    await second;
    assert.match(String(refused), /already answered: Postgres, by ana/);
  });

  it("writes what goes with an id in the same commit, on top of all that the others said, and tells the others nothing of it", async () => {
    const { engine, published } = setup();
    const [id, other] = [idOf(await engine.run(ask("a"))), idOf(await engine.run(ask("b")))];
    const seen: string[] = [];
    const leave = engine.join(id, (state, moment) => {
      seen.push(state.decisions.get(id)?.state ?? "none", state.decisions.get(other)?.state ?? "none");
      return deliver(state, { id }, moment);
    });
    engine.join(id, () => {
      throw new Error("a bug");
    });
    let turns = 0;
    engine.watch(() => void turns++);
    const [mine] = await Promise.all([engine.run(answer(id, "ana")), engine.run(answer(other, "ben"))]);
    assert.equal(turns, 1);
    assert.deepEqual(seen, ["resolved", "resolved"]);
    const types = (events: readonly Event[]) => events.map((it) => it.type);
    assert.deepEqual(types(mine), types(published).slice(2, 2 + mine.length));
    assert.equal(published.at(-1)?.type, "decision:delivered");
    assert.equal(await engine.read((state) => state.decisions.get(id)?.delivery.state), "delivered");
    assert.equal(await engine.read((state) => state.decisions.get(other)?.delivery.state), "owed");
    leave();
    await engine.run((state, moment) => acknowledge(state, { id }, moment));
    assert.equal(seen.length, 2);
  });

  it("shares one commit among all that arrive while another is under way", async () => {
    const { log, engine } = setup();
    log.hold();
    const first = engine.run(ask("first"));
    await settled();
    const others = Array.from({ length: 50 }, (_, n) => engine.run(ask(`${n}`)));
    await settled();
    assert.equal(log.held(), 1);
    log.release();
    await Promise.all([first, ...others]);
    assert.equal(log.committed().length, 51);
  });

  it("publishes in the order of the sequence numbers, without a gap", async () => {
    const { engine, published } = setup();
    await Promise.all(Array.from({ length: 100 }, (_, n) => engine.run(ask(`${n}`))));
    assert.deepEqual(
      published.map((event) => event.seq),
      Array.from({ length: 100 }, (_, n) => n + 1),
    );
  });
});

describe("a failed commit", () => {
  it("is reported to every caller in flight, and nothing of it stays", async () => {
    const { log, engine, published } = setup();
    await engine.run(ask("kept"));
    log.hold();
    const doomed = [engine.run(ask("doomed")), engine.run(ask("with it"))];
    await settled();
    log.failNext(full());
    log.release();
    for (const it of doomed) await assert.rejects(it, { code: "store.full" });
    const titles = await engine.read((state) => [...state.decisions.values()].map((it) => it.title));
    assert.deepEqual(titles, ["kept"]);
    assert.equal(published.length, 1);
    assert.equal(engine.trouble(), "the disk is full");
  });

  it("gives each rule a turn of its own until a write succeeds, so that one can't fail the others", async () => {
    const { log, engine } = setup();
    log.failNext(full());
    await assert.rejects(engine.run(ask("one")));
    log.failNext(full());
    const outcomes = await Promise.allSettled([engine.run(ask("two")), engine.run(ask("three"))]);
    assert.deepEqual(
      outcomes.map((it) => it.status),
      ["rejected", "fulfilled"],
    );
  });

  it("because the store is away refuses everything that waits: the next try would take as long", async () => {
    const { log, engine } = setup();
    log.hold();
    const doomed = engine.run(ask("doomed"));
    await settled();
    const behind = [engine.run(ask("a")), engine.run(ask("b"))];
    log.failNext(new Refusal("store.unreachable", "PostgreSQL does not answer"));
    log.release();
    for (const it of [doomed, ...behind]) await assert.rejects(it, { code: "store.unreachable" });
    assert.equal(engine.trouble(), "PostgreSQL does not answer");
    await engine.run(ask("c"));
    assert.equal(engine.trouble(), null);
  });

  it("is over once the store accepts writes again, and that is reported", async () => {
    const { log, engine } = setup();
    log.failNext(full());
    await assert.rejects(engine.run(ask("one")));
    log.failNext(full());
    await assert.rejects(engine.run(ask("two")), { code: "store.full" });
    assert.equal(engine.trouble(), "the disk is full");
    const several = await Promise.all([
      engine.run(ask("three")),
      engine.run(ask("four")),
      engine.run(ask("five")),
    ]);
    assert.deepEqual(
      several.map(([event]) => event?.seq),
      [1, 2, 3],
    );
    assert.equal(engine.trouble(), null);
    await engine.run(ask("six"));
    assert.equal(log.committed().length, 4);
  });
});

describe("what others write", () => {
  it("is read and published without a turn of our own", async () => {
    const { log, engine, published } = setup();
    await engine.run(ask("ours"));
    log.otherWrites(others(1));
    await settled();
    assert.deepEqual(
      published.map((it) => it.seq),
      [1, 2],
    );
    assert.equal(await engine.read((state) => state.pending.size), 2);
  });

  it("is seen by a rule of the same turn: one winner, and the loser is told who", async () => {
    const { log, engine } = setup();
    const id = idOf(await engine.run(ask("who?")));
    const other = setup();
    await other.engine.run(() => log.committed() as never); // the same question in another daemon
    const [fact] = await other.engine.run(answer(id, "bob"));
    log.hold();
    const late = engine.run(answer(id, "ana")); // decided before bob's answer is in the log
    await settled();
    const { seq: _, at_ms: __, ...theirAnswer } = fact as Event;
    log.otherWrites(theirAnswer as Fact);
    log.release();
    await assert.rejects(late, /already answered: Postgres, by bob/);
    assert.equal(log.committed().length, 2);
  });

  it("may be more than a turn takes: it is read first", async () => {
    const { log, engine } = setup();
    log.newsAtMost(0);
    log.hold();
    const first = engine.run(ask("first"));
    await settled();
    log.otherWrites(others(1));
    log.release();
    await first;
    assert.deepEqual(
      log.committed().map((it) => it.seq),
      [1, 2],
    );
    assert.equal(encodeState(replay(log.committed())), await engine.read(encodeState));
  });

  it("can't be skipped: a gap is refused", async () => {
    const { log, engine } = setup();
    await engine.run(ask("a"));
    const state = replay(log.committed());
    await engine.run(ask("b"));
    await engine.run(ask("c"));
    await log.snapshot(3);
    await log.compact(2);
    const asleep = startEngine(fakePorts({ log }), state);
    await assert.rejects(asleep.run(ask("d")), {
      code: "store.failed",
      message: "Events 2 to 2 were compacted before this daemon had seen them.",
    });
  });
});

describe("the state", () => {
  it("equals a replay of the log, byte for byte, even after failures", async () => {
    const { log, engine } = setup();
    for (let n = 0; n < 30; n++) {
      if (n % 7 === 3) log.failNext(full());
      if (n % 11 === 5) log.otherWrites(others(n));
      const id = await engine.run(ask(`${n}`)).then(idOf, () => null);
      if (id && n % 2) await engine.run(answer(id, "ana"));
    }
    const text = await engine.read(encodeState);
    assert.equal(encodeState(replay(log.committed())), text);
  });

  it("has exactly one winner when many answer at once", async () => {
    const { engine } = setup();
    const id = idOf(await engine.run(ask("who?")));
    const results = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => engine.run(answer(id, `p${n}`))),
    );
    assert.equal(results.filter((it) => it.status === "fulfilled").length, 1);
    const winner = await engine.read((state) => state.decisions.get(id)?.answer?.by);
    for (const it of results) {
      if (it.status === "rejected") assert.match(it.reason.message, new RegExp(`by ${winner} `));
    }
  });
});

it("the engine takes nothing more once it stops, and stops when what it took is on disk", async () => {
  const { log, engine } = setup();
  log.hold();
  const last = engine.run(ask("last"));
  const stopping = engine.stop();
  await assert.rejects(engine.run(ask("late")), { code: "daemon.stopping" });
  log.release();
  await Promise.all([last, stopping]);
  assert.equal(log.committed().length, 1);
});

it("a rule that throws a bug changes nothing", async () => {
  const { engine } = setup();
  await assert.rejects(
    engine.run(() => {
      throw new TypeError("bug");
    }),
    /bug/,
  );
  assert.equal(await engine.read((state) => state.seq), 0);
});
