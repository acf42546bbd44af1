/**
 * One byte changes, anywhere in what a daemon left: nothing acknowledged is silently lost or invented, and what can't be read any more is
 * kept. `OJ_EVERY_BYTE=1` walks over every byte; otherwise a sample is tried.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, it } from "vitest";
import { foldLog } from "../../src/adapters/sqlite/fold.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import type { Event } from "../../src/core/model/events.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import type { Opened } from "../../src/ports.ts";
import {
  appendOf,
  askedRange,
  copyOf,
  forgetting,
  placeAt,
  readAll,
  tempDir,
  withdrawn,
} from "./log-support.ts";

const EVERY = process.env.OJ_EVERY_BYTE ? 1 : 211;
const FLIP = 0x11;

const EVENTS: Event[] = [...askedRange(1, 5), ...[2, 4].map((n, i) => withdrawn(6 + i, `dec-${n}`))];

type Verdict = "harmless" | "reported" | "refused";

describe("a changed byte in the files left", () => {
  const places: [string, (dir: string) => Promise<void>, string[]][] = [
    [
      "by a kill, all of it in the write-ahead log",
      async () => {},
      ["events.db-wal", "events.db", "events.tip"],
    ],
    [
      "by a kill, with a snapshot and a write-ahead log",
      async (dir) => void foldLog(await placeAt(dir), 4),
      ["events.db-wal", "snapshot-4.json", "events.db", "events.tip"],
    ],
  ];
  for (const [name, prepare, files] of places)
    for (const file of files)
      it(`${name}: ${file}`, { timeout: 3_600_000 }, async () => {
        const dir = await left(prepare, false);
        await walk(dir, file);
      });
  for (const file of ["events.db", "snapshot-4.json", "events.tip"])
    it(`by a stop, with a snapshot: ${file}`, { timeout: 3_600_000 }, async () => {
      const dir = await left(async (it) => void foldLog(await placeAt(it), 4), true);
      await walk(dir, file);
    });
});

/** What a daemon leaves when it was killed or stopped after the last event was acknowledged. */
async function left(prepare: (dir: string) => Promise<void>, isStopped: boolean): Promise<string> {
  const dir = tempDir();
  const store = openStore(await placeAt(dir));
  store.open(false);
  for (const event of EVENTS) assert.deepEqual(store.append([appendOf([event])]), [null]);
  await prepare(dir);
  if (isStopped) store.close();
  const copy = copyOf(dir);
  if (!isStopped) store.close();
  return copy;
}

async function walk(dir: string, name: string): Promise<void> {
  const forget = forgetting();
  const sound = fs.readFileSync(path.join(dir, name));
  assert.ok(sound.length > 0);
  const verdicts: Record<Verdict, number> = { harmless: 0, reported: 0, refused: 0 };
  for (let at = EVERY === 1 ? 0 : 7; at < sound.length; at += EVERY) {
    const ruined = copyOf(dir);
    const bytes = Buffer.from(sound);
    bytes[at] = (bytes[at] ?? 0) ^ FLIP;
    fs.writeFileSync(path.join(ruined, name), bytes);
    verdicts[await verdictOf(ruined, name, bytes, `${name}: byte ${at} changed`)] += 1;
    forget();
    if (at % 50 === 0) await collect();
  }
  process.stdout.write(`${name}: ${sound.length} bytes, ${JSON.stringify(verdicts)}\n`);
}

/** The package closes the files of a connection when it is garbage-collected. */
async function collect(): Promise<void> {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Starts as a daemon does, and compares what it gets with what was acknowledged. */
async function verdictOf(dir: string, name: string, bytes: Buffer, where: string): Promise<Verdict> {
  const store = openStore(await placeAt(dir));
  let opened: Opened | null;
  try {
    opened = store.open(false);
  } catch (error) {
    assert.ok(error instanceof Refusal && /^store\.(damaged|newer)$/.test(error.code), `${where}: ${error}`);
    if (error.code === "store.damaged") await repaired(dir, name, bytes, where);
    return "refused";
  }
  if (opened === null) {
    store.close();
    await isReported(copyOf(dir), where);
    return "reported";
  }
  const found = readable(() => stateFrom(opened, readAll(store, opened.snapshot?.seq ?? 0)), where);
  if (found === null) return "refused"; // while the state is built, as `loadState` does
  assert.equal(found, encodeState(replay(EVENTS)), where);
  const isTold = opened.damage !== null || opened.skipped.length > 0;
  const all = readable(() => readAll(store), where);
  if (!isTold) assert.deepEqual(all, EVENTS, where);
  store.close();
  return isTold ? "reported" : "harmless";
}

/** A repair continues with something that was acknowledged, says what is missing, and keeps the bytes as they were. */
async function repaired(dir: string, name: string, bytes: Buffer, where: string): Promise<void> {
  const before = copyOf(dir);
  const store = openStore(await placeAt(before));
  const opened = store.open(true);
  store.close();
  const last = opened === null ? copyOf(before) : before;
  if (opened === null) await isReported(last, where);
  const kept = fs.readdirSync(last).filter((it) => it.startsWith("events.db"));
  if (name === "events.db-wal") {
    const found = kept.some((it) => fs.readFileSync(path.join(last, it)).equals(bytes));
    assert.ok(found, `${where}: the bytes are not kept in ${kept.join(", ")}`);
  }
}

async function isReported(dir: string, where: string): Promise<void> {
  const store = openStore(await placeAt(dir));
  const opened = store.open(false);
  assert.ok(opened?.damage, `${where}: nothing is said`);
  for (const event of readAll(store))
    if (event.type !== "log:lost") assert.deepEqual(event, EVENTS[event.seq - 1], where);
  store.close();
}

function stateFrom(opened: Opened, events: Event[]): string {
  const start = opened.snapshot === null ? undefined : decodeState(opened.snapshot.state);
  const state = replay(events, start);
  if (state.seq < opened.tip) throw new Refusal("store.damaged", "the log ends too early");
  return encodeState(state);
}

/** What it returns; null if it is refused as damaged. */
function readable<T>(read: () => T, where: string): T | null {
  try {
    return read();
  } catch (error) {
    assert.ok(
      error instanceof Refusal && error.code === "store.damaged",
      `${where}: ${(error as Error).stack}`,
    );
    return null;
  }
}
