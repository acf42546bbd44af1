/** Crashes while the log is written: what a start finds is a prefix with everything that was acknowledged. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import type { Event } from "../../src/core/model/events.ts";
import { writeLog } from "../fakes/write-log.ts";
import {
  acknowledge,
  appendOf,
  asked,
  copyOf,
  placeAt,
  readAll,
  tempDir,
  threadedLog,
} from "./log-support.ts";

const walHeaderBytes = 32;

describe("a write-ahead log torn by a crash", () => {
  it("still has every event written before the tear, wherever that is", async () => {
    const { dir, events, sizes } = await crashed();
    for (let bytes = 0; bytes <= (sizes.at(-1) ?? 0) + 512; bytes += 512) {
      const torn = copyOf(dir);
      fs.truncateSync(path.join(torn, "events.db-wal"), Math.min(bytes, sizes.at(-1) ?? 0));
      const acknowledged = sizes.filter((size) => size <= bytes).length;
      await acknowledge(torn, acknowledged); // the part that was cut off was still being written
      await hasPrefix(torn, events, acknowledged, `cut at ${bytes}`);
    }
  });

  it("still has every event written before a changed byte", async () => {
    const { dir, events, sizes } = await crashed();
    const end = sizes.at(-1) ?? 0;
    for (let at = 5; at < end; at += 997) {
      const torn = copyOf(dir);
      const wal = fs.readFileSync(path.join(torn, "events.db-wal"));
      wal[at] = (wal[at] ?? 0) ^ 0x11;
      fs.writeFileSync(path.join(torn, "events.db-wal"), wal);
      const acknowledged = at < walHeaderBytes ? 0 : sizes.filter((size) => size <= at).length;
      await acknowledge(torn, acknowledged);
      await hasPrefix(torn, events, acknowledged, `changed at ${at}`);
    }
  });

  it("loses nothing at any moment while events are appended", async () => {
    const dir = tempDir();
    const log = await threadedLog(dir);
    await log.open();
    const events = Array.from({ length: 600 }, (_, i) => asked(i + 1));
    const copies: [string, number][] = [];
    let acknowledged = 0;
    for (const event of events) {
      const append = writeLog(log, [event]);
      if (event.seq % 20 === 0) copies.push([copyOf(dir), acknowledged]); // while the other thread commits
      await append;
      acknowledged = event.seq;
    }
    await log.close();
    for (const [copy, before] of copies) await hasPrefix(copy, events, before, `${before} acknowledged`);
  });
});

/** A log whose process died: all events are in the write-ahead log. `sizes[i]` is its size when event i + 1 was acknowledged. */
async function crashed(): Promise<{ dir: string; events: Event[]; sizes: number[] }> {
  const dir = tempDir();
  const store = openStore(await placeAt(dir));
  store.open(false);
  const events = Array.from({ length: 16 }, (_, i) =>
    asked(i + 1, `dec-${i}`, "x".repeat((i * 1397) % 5000)),
  );
  const sizes = events.map((event) => {
    assert.deepEqual(store.append([appendOf([event])]), [null]);
    return fs.statSync(path.join(dir, "events.db-wal")).size;
  });
  const copy = copyOf(dir);
  store.close();
  return { dir: copy, events, sizes };
}

async function hasPrefix(dir: string, events: Event[], atLeast: number, where: string): Promise<void> {
  const store = openStore(await placeAt(dir));
  const opened = store.open(false);
  const found = readAll(store);
  store.close();
  assert.equal(opened?.damage, null, where);
  assert.equal(opened?.tip, found.length, where);
  assert.ok(found.length >= atLeast, `${where}: ${found.length} events of ${atLeast}`);
  assert.deepEqual(found, events.slice(0, found.length), where);
}
