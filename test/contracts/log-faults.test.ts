/** Every write point of append, snapshot, compaction and repair fails once, in every way; then a start looks at what is left. */
import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "vitest";
import { loadDriver } from "../../src/adapters/sqlite/driver.ts";
import { foldLog } from "../../src/adapters/sqlite/fold.ts";
import type { Store } from "../../src/adapters/sqlite/store.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import type { Event } from "../../src/core/model/events.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import { someOf } from "../everything.ts";
import type { Fault, FaultyPlace } from "./log-fault-points.ts";
import { FAULTS, faultyPlace } from "./log-fault-points.ts";
import {
  appendOf,
  asked,
  askedRange,
  copyOf,
  lostAsSuch,
  placeAt,
  readAll,
  tempDir,
  withLost,
  writtenLog,
} from "./log-support.ts";

describe("a write that fails", () => {
  for (const fault of someOf(FAULTS, 3))
    it(`with "${fault}" loses nothing acknowledged, wherever it happens`, async () => {
      const { points } = await live(fault, Number.POSITIVE_INFINITY);
      for (let at = 0; at < points.length; at += 1) {
        if (isPartial(fault) && points[at] !== "write") continue;
        await survives(await live(fault, at), `${fault} at point ${at}: ${points[at]}`);
      }
      assert.ok(points.length > 60, `only ${points.length} points`);
    });
});

describe("a repair that fails", () => {
  for (const fault of someOf(
    FAULTS.filter((it) => !isPartial(it)),
    2,
  ))
    it(`with "${fault}" is completed by the next start, wherever it happens`, async () => {
      const damaged = await damagedLog();
      const count = await repairs(damaged, fault, Number.POSITIVE_INFINITY);
      for (let at = 0; at < count; at += 1) await repairs(damaged, fault, at);
      assert.ok(count > 10, `only ${count} points`);
    });
});

interface Life {
  dir: string;
  place: FaultyPlace;
  points: string[];
  /** By seq: what was acknowledged, and what was tried last. */
  acknowledged: Map<number, Event>;
  tried: Map<number, Event>;
}

/** The life of a daemon with one fault in it. It carries on after errors, as the daemon does, until it crashes. */
async function live(fault: Fault, at: number): Promise<Life> {
  const dir = tempDir();
  const place = faultyPlace(await placeAt(dir), at, fault);
  const life: Life = { dir, place, points: place.points, acknowledged: new Map(), tried: new Map() };
  let store = openStore(place);
  let attempts = 0;

  const step = (work: () => void) => {
    if (store.isLost()) store = openStore(place);
    try {
      if (!place.crashed()) work();
    } catch (error) {
      assert.ok(place.crashed() || error instanceof Refusal, `not a refusal: ${(error as Error).stack}`);
    }
  };
  const append = (count: number) =>
    step(() => {
      const after = store.read(tipOf(store), 1).last;
      const events = Array.from({ length: count }, (_, i) =>
        asked(after + 1 + i, `dec-${after + i}`, `try ${attempts++}`),
      );
      for (const event of events) life.tried.set(event.seq, event);
      const groups = [appendOf(events.slice(0, 1)), appendOf(events.slice(1))].slice(0, count);
      const outcomes = store.append(groups);
      if (outcomes[0] === null) life.acknowledged.set(after + 1, events[0] as Event);
      if (outcomes[1] === null) for (const event of events.slice(1)) life.acknowledged.set(event.seq, event);
    });
  const snapshot = (seq: number) =>
    step(() => {
      covered = Math.max(covered, foldLog(place, seq));
    });
  let covered = 0;

  const opened = () => step(() => void store.open(false));
  opened();
  opened();
  append(1);
  append(3);
  snapshot(2);
  append(2);
  snapshot(5);
  step(() => void store.compact(Math.min(3, covered), 2));
  step(() => void store.compact(Math.min(5, covered), 2));
  append(2);
  snapshot(7);
  append(1);
  step(() => store.close());
  if (!place.crashed()) assert.ok(life.acknowledged.size >= 5, `${fault} at ${at}: the log did not go on`);
  return life;
}

/** What the next start finds: everything acknowledged, and otherwise only what was tried last; the state matches the events. */
async function survives({ dir, acknowledged, tried }: Life, where: string): Promise<void> {
  const store = openStore(await placeAt(copyOf(dir)));
  const opened = store.open(false);
  assert.ok(opened, where);
  assert.equal(opened.damage, null, where);
  const found = new Map(readAll(store).map((event) => [event.seq, event]));
  store.close();
  assert.ok(opened.tip >= Math.max(0, ...acknowledged.keys()), `${where}: the log ends at ${opened.tip}`);
  const history = Array.from({ length: opened.tip }, (_, i) => {
    const seq = i + 1;
    const event = acknowledged.get(seq) ?? found.get(seq) ?? tried.get(seq);
    if (seq >= opened.first) assert.deepEqual(found.get(seq), event, `${where}: event ${seq}`);
    return event as Event;
  });
  const from = opened.snapshot?.seq ?? 0;
  const start = opened.snapshot === null ? undefined : decodeState(opened.snapshot.state);
  assert.ok(from >= opened.first - 1, where);
  assert.equal(encodeState(replay(history.slice(from), start)), encodeState(replay(history)), where);
}

/** Repairs a copy of the log with one fault in it, then starts as often as it takes. Returns how many points there were. */
async function repairs(damaged: string, fault: Fault, at: number): Promise<number> {
  const dir = copyOf(damaged);
  const place = faultyPlace(await placeAt(dir), at, fault);
  const where = `${fault} at point ${at}: `;
  let last = dir;
  try {
    if (openStore(place).open(true) === null && !place.crashed()) {
      last = copyOf(dir);
      openStore({ ...place, dir: last }).open(false);
    }
  } catch (error) {
    assert.ok(place.crashed() || error instanceof Refusal, `${where}${(error as Error).stack}`);
  }
  const store = await restarted(copyOf(last));
  assert.deepEqual(lostAsSuch(readAll(store)), withLost(askedRange(1, 12), 9), where + place.points[at]);
  assert.deepEqual(store.append([appendOf([asked(13)])]), [null], where);
  store.close();
  return place.points.length;
}

async function restarted(dir: string): Promise<Store> {
  const store = openStore(await placeAt(dir));
  return store.open(true) === null ? restarted(copyOf(dir)) : store;
}

async function damagedLog(): Promise<string> {
  const dir = await writtenLog(askedRange(1, 12));
  const db = (await loadDriver()).open(path.join(dir, "events.db"));
  db.exec("DELETE FROM events WHERE seq = 9; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  return dir;
}

/** Only a file can be half written; half a commit is in `log-crash.test.ts`. */
function isPartial(fault: Fault): boolean {
  return fault === "short" || fault === "torn-crash";
}

function tipOf(store: Store): number {
  let last = 0;
  for (let page = store.read(last, 1000); page.bodies.length > 0; page = store.read(last, 1000))
    last = page.last;
  return last;
}
