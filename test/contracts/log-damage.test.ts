/** Deliberate damage to the log's files: what is sound continues, the rest is refused or set aside, never dropped. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { describe, it } from "vitest";
import { loadDriver } from "../../src/adapters/sqlite/driver.ts";
import { foldLog } from "../../src/adapters/sqlite/fold.ts";
import type { Store } from "../../src/adapters/sqlite/store.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { encodeState } from "../../src/core/model/state/state-text.ts";
import type { Opened } from "../../src/ports.ts";
import { writeLog } from "../fakes/write-log.ts";
import {
  appendOf,
  asked,
  askedRange,
  copyOf,
  lostAsSuch,
  placeAt,
  readAll,
  tempDir,
  threadedLog,
  withLost,
  writtenLog,
} from "./log-support.ts";

const pageBytes = 4096;

describe("a log of a newer version", () => {
  it("is refused with both versions and left as it is, byte for byte", async () => {
    const dir = await writtenLog(askedRange(1, 3));
    await sql(dir, "PRAGMA user_version = 6; UPDATE meta SET value = '9.8.7' WHERE key = 'version'");
    const before = contents(dir);
    const log = await threadedLog(dir);
    for (const repair of [false, true])
      await assert.rejects(log.open({ repair }), {
        code: "store.newer",
        message: `${dir}/events.db was written by oj 9.8.7 (log format 6); this is oj 1.2.3 (log format 5).`,
      });
    await log.close();
    assert.deepEqual(contents(dir), before);
  });

  it("is refused even if its version can't be read", async () => {
    const dir = await writtenLog(askedRange(1, 3));
    await sql(dir, "PRAGMA user_version = 4000; DROP TABLE meta");
    const before = contents(dir);
    refuses(await storeAt(dir), "store.newer", /by a newer oj \(log format 4000\)/);
    assert.deepEqual(contents(dir), before);
  });
});

describe("a damaged record", () => {
  it("at the end is set aside, and everything before it stays", async () => {
    const dir = await writtenLog(askedRange(1, 20));
    await sql(dir, "UPDATE events SET body = replace(body, 'Question', 'Answer') WHERE seq >= 19");
    const log = await threadedLog(dir);
    const { damage, ...opened } = await log.open();
    assert.deepEqual(opened, { snapshot: null, tip: 18, first: 1, skipped: [], machine: null });
    assert.equal(damage?.seq, 19);
    assert.equal(damage.what, "its checksum is wrong");
    assert.equal(damage.records, 2);
    assert.match(damage.kept, /events\.db\.damaged-19-\d{8}T\d{6}$/);
    assert.match(await bodyIn(damage.kept, 20), /Answer 20/);
    await writeLog(log, [asked(19)]);
    assert.deepEqual(await log.read(0, 100), askedRange(1, 19));
    await log.close();
    const again = await threadedLog(dir);
    const rest = { snapshot: null, first: 1, skipped: [], damage: null, machine: null };
    assert.deepEqual(await again.open(), { ...rest, tip: 19 });
    await again.close();
  });

  it("with sound ones after it is refused, and nothing changes", async () => {
    const dir = await writtenLog(askedRange(1, 20));
    await sql(dir, "DELETE FROM events WHERE seq = 7");
    const before = fs.readFileSync(path.join(dir, "events.db"));
    const refusal = refuses(
      await storeAt(dir),
      "store.damaged",
      /record 7: the next record is 8\. 13 intact records come/,
    );
    assert.equal(refusal.hint, "oj daemon start --repair");
    assert.deepEqual(refusal.details, { seq: 7, sound_after: 13 });
    assert.deepEqual(fs.readFileSync(path.join(dir, "events.db")), before);
  });

  it("with sound ones after it is set aside by a repair, and those stay", async () => {
    const dir = await writtenLog(askedRange(1, 20));
    await sql(dir, "DELETE FROM events WHERE seq = 7");
    const log = await threadedLog(dir);
    await assert.rejects(log.open(), { code: "store.damaged" });
    const { damage, tip } = await log.open({ repair: true });
    assert.deepEqual([damage?.seq, damage?.records, tip], [7, 1, 20]);
    assert.match(await bodyIn(damage?.kept ?? "", 20), /Question 20/);
    assert.deepEqual(lostAsSuch(await log.read(0, 100)), withLost(askedRange(1, 20), 7));
    await log.close();
    const again = await threadedLog(dir);
    const rest = { snapshot: null, first: 1, skipped: [], damage: null, machine: null };
    assert.deepEqual(await again.open(), { ...rest, tip: 20 });
    await again.close();
  });

  it("far from the end is found while the state is built", async () => {
    const dir = await writtenLog(askedRange(1, 3000));
    await sql(dir, "UPDATE events SET stream = 'dec-x' WHERE seq = 1500");
    const { store, opened } = await start(dir);
    assert.equal(opened.tip, 3000);
    assert.equal(store.read(0, 3000).last, 1499);
    assert.throws(() => store.read(1499, 3000), {
      code: "store.damaged",
      message: /record 1500.*1500 intact records/,
    });
    const repaired = await start(copyOf(dir), true);
    assert.deepEqual([repaired.opened.tip, repaired.opened.damage?.seq], [3000, 1500]);
    assert.deepEqual(lostAsSuch(readAll(repaired.store)), withLost(askedRange(1, 3000), 1500));
  });

  it("does no harm if a snapshot covers it, and is reported", async () => {
    const dir = await snapshotLog([10]);
    await sql(dir, "DELETE FROM events WHERE seq = 7");
    const { opened, store } = await start(dir);
    assert.equal(opened.damage?.seq, 7);
    assert.equal(opened.damage.kept, path.join(dir, "events.db"));
    assert.equal(opened.tip, 20);
    assert.deepEqual(readAll(store, 10), askedRange(11, 20));
    assert.throws(() => store.read(6, 10), { code: "store.damaged" });
  });

  it("is taken out by a repair even if a snapshot covers it: a backup needs every record", async () => {
    const dir = await snapshotLog([10]);
    await sql(dir, "UPDATE events SET sum = 0 WHERE seq = 7");
    const { opened, store } = await start(copyOf(dir), true);
    assert.deepEqual([opened.damage?.seq, opened.damage?.records, opened.tip], [7, 1, 20]);
    assert.equal(opened.snapshot?.seq, 10);
    assert.match(opened.damage?.kept ?? "", /events\.db\.damaged-7-/);
    assert.deepEqual(lostAsSuch(readAll(store)), withLost(askedRange(1, 20), 7));
  });

  it("is refused if it is the only one", async () => {
    const dir = await writtenLog(askedRange(1, 1));
    await sql(dir, "UPDATE events SET sum = 0");
    refuses(await storeAt(dir), "store.damaged", /no record can be read; the first: its checksum is wrong/);
  });
});

describe("a damaged page", () => {
  it("at the end of the log is set aside without losing a single sound record before it", async () => {
    const dir = await writtenLog(askedRange(1, 200));
    const [first, last] = await damagePage(dir, "last");
    assert.equal(last, 200);
    const { opened, store } = await start(dir);
    assert.equal(opened.tip, first - 1);
    assert.equal(opened.damage?.seq, first);
    assert.deepEqual(readAll(store), askedRange(1, first - 1));
  });

  it("in the middle is refused, and a repair keeps what comes before and after it", async () => {
    const dir = await writtenLog(askedRange(1, 200));
    const [first, last] = await damagePage(dir, "middle");
    const message = new RegExp(`record ${first}: .* ${200 - last} intact records come after it`);
    refuses(await storeAt(copyOf(dir)), "store.damaged", message);
    const { opened, store } = await start(copyOf(dir), true);
    assert.equal(opened.tip, 200);
    assert.deepEqual(lostAsSuch(readAll(store)), withLost(askedRange(1, 200), ...numbersFrom(first, last)));
  });

  it("before a damaged end is marked too, and what comes before it stays", async () => {
    const dir = await writtenLog(askedRange(1, 200));
    foldLog(await placeAt(dir), 150);
    const [first, last] = await damagePage(dir, "middle");
    await sql(dir, "UPDATE events SET sum = 0 WHERE seq = 200");
    const { opened, store } = await start(copyOf(dir));
    assert.ok(first > 1 && last < 150);
    assert.deepEqual([opened.first, opened.tip, opened.damage?.seq], [1, 199, first]);
    assert.deepEqual(lostAsSuch(readAll(store)), withLost(askedRange(1, 199), ...numbersFrom(first, last)));
  });
});

describe("a file that is not a log", () => {
  const ruins: [string, (file: string) => void, RegExp][] = [
    [
      "without its header",
      (file) => overwrite(file, 0, Buffer.alloc(100, 7)),
      /first bytes are not those of a database/,
    ],
    ["without content", (file) => fs.truncateSync(file), /it is empty/],
    ["cut within the header", (file) => fs.truncateSync(file, 50), /only 50 bytes/],
    ["that is gone", (file) => fs.rmSync(file), /it is missing/],
    ["with a ruined first page", (file) => overwrite(file, 100, Buffer.alloc(3900, 7)), /malformed/],
    ["without a format", (file) => overwrite(file, 60, Buffer.alloc(4)), /which format/],
  ];

  for (const [name, ruin, message] of ruins) {
    it(`${name} is refused, and a repair continues from the snapshot`, async () => {
      const dir = await snapshotLog([15]);
      ruin(path.join(dir, "events.db"));
      const before = contents(dir);
      refuses(await storeAt(dir), "store.damaged", message);
      assert.deepEqual(
        contents(dir, (it) => !/-(wal|shm)$/.test(it)),
        before,
      );

      const { opened, store } = await start(copyOf(dir), true);
      assert.deepEqual([opened.first, opened.tip, opened.snapshot?.seq], [16, 15, 15]);
      assert.equal(opened.snapshot?.state, encodeState(replay(askedRange(1, 15))));
      assert.equal(opened.damage?.seq, 16);
      assert.deepEqual(store.append([appendOf([asked(16)])]), [null]);
    });
  }

  it("is refused if it is another program's database", async () => {
    const dir = tempDir();
    await sql(dir, "CREATE TABLE cookies (name TEXT); PRAGMA user_version = 1");
    refuses(await storeAt(dir), "store.damaged", /not one of ours/);
  });

  it("becomes an empty log with a repair if there is no snapshot", async () => {
    const dir = await writtenLog(askedRange(1, 20));
    fs.truncateSync(path.join(dir, "events.db"));
    const { opened } = await start(dir, true);
    assert.deepEqual([opened.first, opened.tip, opened.snapshot], [1, 0, null]);
    assert.equal(opened.damage?.seq, 1);
  });
});

describe("a damaged snapshot", () => {
  const ruins: [string, (file: string) => void, RegExp][] = [
    ["with a changed byte", (file) => overwrite(file, 400, Buffer.from("#")), /its checksum is wrong/],
    ["that is cut short", (file) => fs.truncateSync(file, 500), /bytes instead of/],
    ["that is empty", (file) => fs.truncateSync(file), /its first line can't be read/],
    [
      "of a newer format",
      (file) => edit(file, /"format":\d+/, '"format":999'),
      /it was written by oj 1\.2\.3/,
    ],
    ["of another moment", (file) => edit(file, '"seq":15', '"seq":16'), /it says it belongs to 16/],
  ];

  for (const [name, ruin, message] of ruins) {
    it(`${name} gives way to the one before it, and is reported`, async () => {
      const dir = await snapshotLog([10, 15]);
      ruin(path.join(dir, "snapshot-15.json"));
      const { opened, store } = await start(dir);
      assert.equal(opened.snapshot?.seq, 10);
      assert.equal(opened.damage, null);
      assert.equal(opened.skipped.length, 1);
      assert.match(opened.skipped[0] ?? "", message);
      assert.ok(fs.existsSync(path.join(dir, "snapshot-15.json.unused")));
      assert.deepEqual(readAll(store, 10), askedRange(11, 20));
    });
  }

  it("gives way to a replay of the whole log if there is no other", async () => {
    const dir = await snapshotLog([10, 15]);
    for (const seq of [10, 15]) fs.truncateSync(path.join(dir, `snapshot-${seq}.json`), 100);
    const { opened, store } = await start(dir);
    assert.deepEqual([opened.snapshot, opened.skipped.length], [null, 2]);
    assert.deepEqual(readAll(store), askedRange(1, 20));
  });

  it("is refused if the events it covers were compacted", async () => {
    const dir = await compacted(await snapshotLog([15]), 15);
    fs.truncateSync(path.join(dir, "snapshot-15.json"), 100);
    refuses(
      await storeAt(dir),
      "store.damaged",
      /events 1 to 15 were compacted.*snapshot-15\.json was not used/,
    );
  });

  it("of a newer version is refused as such if the events it covers were compacted", async () => {
    const dir = await compacted(await snapshotLog([15]), 15);
    edit(
      path.join(dir, "snapshot-15.json"),
      /"format":\d+,"version":"1.2.3"/,
      '"format":999,"version":"2.0.0"',
    );
    const before = contents(dir);
    refuses(await storeAt(dir), "store.newer", /written by oj 2\.0\.0; this is oj 1\.2\.3/);
    assert.deepEqual(
      contents(dir, (it) => !/-(wal|shm)$/.test(it)),
      before,
    );
  });

  it("that is ahead of the log is never used, even once the log has caught up", async () => {
    const ahead = await snapshotLog([15]);
    const dir = await writtenLog(askedRange(1, 12));
    fs.copyFileSync(path.join(ahead, "snapshot-15.json"), path.join(dir, "snapshot-15.json"));
    const { opened, store } = await start(dir);
    assert.deepEqual([opened.snapshot, opened.tip], [null, 12]);
    assert.match(opened.skipped[0] ?? "", /ahead of the log, which ends at 12/);
    store.append([appendOf(askedRange(13, 20))]);
    assert.deepEqual((await start(copyOf(dir))).opened.snapshot, null);
  });
});

describe("any byte of the log", () => {
  it("may change without an event being invented or silently lost", async () => {
    const events = askedRange(1, 120);
    const dir = await writtenLog(events);
    const file = path.join(dir, "events.db");
    const sound = fs.readFileSync(file);
    const random = numbers(20_260_101);
    for (let round = 0; round < 120; round += 1) {
      const bytes = Buffer.from(sound);
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(random() * 255));
      const ruined = tempDir();
      fs.writeFileSync(path.join(ruined, "events.db"), bytes);
      const repaired = await start(ruined, true);
      const found = lostAsSuch(readAll(repaired.store));
      const lost = found.filter((it) => it.type === "log:lost").map((it) => it.seq);
      assert.deepEqual(found, withLost(events.slice(0, found.length), ...lost), `byte ${at} changed`);
      if (lost.length > 0 || found.length < events.length)
        assert.ok(repaired.opened.damage, `byte ${at} changed, nothing reported`);
      repaired.store.close();
    }
  });
});

/** Opens the log as a start does: after damage was replaced, in another thread; here, on a copy of the files. */
async function start(dir: string, repair = false): Promise<{ store: Store; opened: Opened }> {
  const store = await storeAt(dir);
  const opened = store.open(repair);
  if (opened !== null) return { store, opened };
  store.close();
  return start(copyOf(dir));
}

async function storeAt(dir: string): Promise<Store> {
  return openStore(await placeAt(dir));
}

function refuses(store: Store, code: string, message: RegExp): Refusal {
  let refusal: unknown = null;
  assert.throws(
    () => store.open(false),
    (error) => {
      refusal = error;
      return error instanceof Refusal && error.code === code && message.test(error.message);
    },
  );
  return refusal as Refusal;
}

/** Runs SQL on the file. Only `exec`, so nothing keeps it open. */
async function sql(dir: string, text: string): Promise<void> {
  const db = (await loadDriver()).open(path.join(dir, "events.db"));
  db.exec(`${text}; PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
}

async function bodyIn(file: string, seq: number): Promise<string> {
  const db = (await loadDriver()).open(file, { readOnly: true });
  const row = db.prepare("SELECT body FROM events WHERE seq = ?").get(seq) as { body: string };
  return row.body;
}

async function snapshotLog(seqs: number[]): Promise<string> {
  const dir = await writtenLog(askedRange(1, 20));
  for (const seq of seqs) foldLog(await placeAt(dir), seq);
  return copyOf(dir);
}

async function compacted(dir: string, seq: number): Promise<string> {
  const { store } = await start(dir);
  assert.equal(store.compact(seq, 1000), seq);
  store.close();
  return copyOf(dir);
}

/** Fills a page of records with junk. Returns the first and the last record that was in it. */
async function damagePage(dir: string, which: "middle" | "last"): Promise<[number, number]> {
  const file = path.join(dir, "events.db");
  const bytes = fs.readFileSync(file);
  const pages = Array.from({ length: bytes.length / pageBytes }, (_, i) =>
    bytes.subarray(i * pageBytes, (i + 1) * pageBytes),
  );
  const held = pages.map((page) =>
    [...page.toString("latin1").matchAll(/"seq":(\d+)/g)].map((it) => Number(it[1])),
  );
  const wanted = which === "last" ? 200 : 100;
  const page = held.findIndex((seqs) => seqs.includes(wanted));
  overwrite(file, page * pageBytes, Buffer.alloc(pageBytes, 0x5a));
  const seqs = held[page] ?? [];
  return [Math.min(...seqs), Math.max(...seqs)];
}

function contents(dir: string, wanted: (name: string) => boolean = () => true): Record<string, number> {
  const names = fs.readdirSync(dir).filter(wanted);
  return Object.fromEntries(names.map((name) => [name, crc32(fs.readFileSync(path.join(dir, name)))]));
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  const fd = fs.openSync(file, "r+");
  fs.writeSync(fd, bytes, 0, bytes.length, at);
  fs.closeSync(fd);
}

function edit(file: string, from: string | RegExp, to: string): void {
  const text = fs.readFileSync(file, "utf8");
  assert.ok(text.search(from) >= 0);
  fs.writeFileSync(file, text.replace(from, to));
}

function numbersFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Random numbers that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
