/** Whole stores that are copied, backed up and restored, and what interrupts that. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, it, onTestFinished } from "vitest";
import { postgresStore } from "../../src/adapters/postgres/whole.ts";
import { refuseNewer } from "../../src/adapters/sqlite/database.ts";
import type { Files } from "../../src/adapters/sqlite/files.ts";
import { realFiles } from "../../src/adapters/sqlite/files.ts";
import { takeLock } from "../../src/adapters/sqlite/lock.ts";
import { sqliteStore } from "../../src/adapters/sqlite/whole.ts";
import type { Event } from "../../src/core/model/events.ts";
import { encodeState } from "../../src/core/model/state/state-text.ts";
import { backUp, copyStore, restore } from "../../src/store/main.ts";
import { stateOf } from "../../src/store/state-of.ts";
import type { Whole, WholeStore } from "../../src/store-ports.ts";
import { also, EVERYTHING, few } from "../everything.ts";
import { writeLog } from "../fakes/write-log.ts";
import { askedRange, placeAt, tempDir, threadedLog, withdrawn } from "./log-support.ts";
import { keeper, logAt, noPostgres, sharedServer } from "./postgres-support.ts";

const server = sharedServer();
const EVENTS = 2500;

const folder = (dir = path.join(tempDir(), "state")) => sqliteStore(dir, "1.2.3");
const database = (url: string, seen: { seq: number; chain: string } | null = null) =>
  postgresStore({ url, password: null, version: "1.2.3", known: { id: "", key: null, seen } });

/** Pending and settled decisions, and a snapshot that covers some; with `compacted`, its first events are gone. */
async function written(compacted = false, events = EVENTS): Promise<{ dir: string; store: WholeStore }> {
  const dir = tempDir();
  const log = await threadedLog(dir);
  await log.open();
  await writeLog(log, askedRange(1, events * 0.8));
  await log.snapshot(events * 0.6);
  if (compacted) await log.compact(events * 0.4);
  await writeLog(log, [...askedRange(events * 0.8 + 1, events - 1), withdrawn(events, "dec-7")]);
  await log.close();
  return { dir, store: await sqliteStore(dir, "1.2.3") };
}

const stateIn = (store: WholeStore) =>
  store.read({ alone: false }, async (it) => encodeState(await stateOf(it)));

/** Every file that matters: not the index that SQLite keeps beside it while somebody reads. */
function filesIn(dir: string): Record<string, string> {
  const names = fs.readdirSync(dir).filter((it) => !/-shm$|-wal$|^lock\.db/.test(it));
  const sum = (name: string) =>
    createHash("sha256")
      .update(fs.readFileSync(path.join(dir, name)))
      .digest("hex");
  return Object.fromEntries(names.sort().map((name) => [name, sum(name)]));
}

/** Files that stop working for good at one of their calls, as if the process had ended there. */
function dyingAt(call: number): Files & { calls(): number } {
  let calls = 0;
  const dying = Object.fromEntries(
    Object.entries(realFiles).map(([name, does]) => [
      name,
      (...given: never[]) => {
        calls += 1;
        if (calls >= call) throw new Error("the process has ended");
        return (does as (...all: never[]) => unknown)(...given);
      },
    ]),
  );
  return { ...(dying as unknown as Files), calls: () => calls };
}

for (const compacted of few([true, false], 1))
  describe.skipIf(noPostgres !== null)(
    `a store ${compacted ? "whose beginning is compacted" : "from its beginning on"}`,
    () => {
      it("is the same after it went to PostgreSQL, to SQLite and back", async () => {
        const { dir, store } = await written(compacted);
        const before = filesIn(dir);
        const url = await server().database();
        const copied = await copyStore(store, database(url));
        assert.deepEqual([copied.events, copied.tip], [compacted ? EVENTS - 1000 : EVENTS, EVENTS]);
        assert.deepEqual(filesIn(dir), before);
        const back = await folder();
        await copyStore(database(url), back);
        const state = await stateIn(store);
        assert.deepEqual([await stateIn(database(url)), await stateIn(back)], [state, state]);
        for (const it of [store, back, database(url)]) assert.equal((await it.verify()).problem, null);
        const again = logAt(url);
        onTestFinished(() => again.close());
        assert.equal((await again.open()).snapshot?.seq, 1500);
        await writeLog(again, askedRange(EVENTS + 1, EVENTS + 3));
        const log = await threadedLog(back.shown);
        onTestFinished(() => log.close());
        assert.equal((await log.open()).tip, EVENTS);
        await writeLog(log, askedRange(EVENTS + 1, EVENTS + 3));
      });

      it("comes back from a backup that was made while it was written to", async () => {
        const { dir, store } = await written(compacted);
        const log = await threadedLog(dir);
        onTestFinished(() => log.close());
        await log.open();
        const file = path.join(tempDir(), "backup.gz");
        const writing = writeLog(log, askedRange(EVENTS + 1, EVENTS + 500));
        const { tip } = await backUp(store, file);
        await writing;
        assert.equal(fs.statSync(file).mode & 0o777, 0o600);
        const [one, other] = [await folder(), database(await server().database())];
        for (const target of [one, other]) {
          assert.equal((await restore(target, file)).tip, tip);
          await assert.rejects(restore(target, file), { code: "store.not-empty" });
        }
        assert.equal(await stateIn(one), await stateIn(other));
        assert.deepEqual(fs.readdirSync(path.dirname(file)), ["backup.gz"]);
      });
    },
  );

it.skipIf(noPostgres !== null)("a copy keeps older versions from writing where the source did", async () => {
  const source = tempDir();
  const log = await threadedLog(source);
  await log.open();
  const ruled = { ...askedRange(1, 1)[0], rule: { min: 2 } } as Event;
  await writeLog(log, [ruled]);
  await log.close();
  const url = await server().database();
  await copyStore(await folder(source), database(url));
  assert.equal(server().sql(url, "SELECT min_writer FROM meta"), "4");
  const back = await folder();
  await copyStore(database(url), back);
  const place = await placeAt(back.shown);
  assert.throws(() => refuseNewer(place, 2), { code: "store.newer" });
});

describe("a copy into a folder", () => {
  it("that is interrupted anywhere leaves the source alone, and can be made again", async () => {
    const { dir, store } = await written(true, 50);
    const before = filesIn(dir);
    for (let call = 1; ; call += EVERYTHING ? 1 : 5) {
      const target = path.join(tempDir(), "state");
      const files = dyingAt(call);
      const dying = await sqliteStore(target, "1.2.3", files);
      const outcome = await copyStore(store, dying).then(
        () => "done",
        (error: Error) => error.message,
      );
      assert.deepEqual(filesIn(dir), before);
      if (outcome === "done") {
        assert.ok(call > 20, `it made ${files.calls()} calls`);
        break;
      }
      const again = await folder(target);
      if (!fs.existsSync(path.join(target, "events.db"))) await copyStore(store, again);
      assert.equal(await stateIn(again), await stateIn(store), `ended at call ${call}`);
    }
  });

  also("is refused where there is a store, and where a daemon is running, at either end", async () => {
    const { dir, store } = await written();
    const other = await written();
    await assert.rejects(copyStore(store, other.store), { code: "store.not-empty" });
    await assert.rejects(copyStore(await folder(), other.store), { code: "store.absent" });
    const lock = await takeLock(dir);
    onTestFinished(() => lock.release());
    await assert.rejects(copyStore(store, await folder()), { code: "store.in-use" });
    const empty = tempDir();
    const held = await takeLock(empty);
    onTestFinished(() => held.release());
    await assert.rejects(copyStore(other.store, await folder(empty)), { code: "store.in-use" });
  });

  also("fills a log that a daemon made and never wrote to", async () => {
    const { store } = await written();
    const dir = tempDir();
    const log = await threadedLog(dir);
    await log.open();
    await log.close();
    await copyStore(store, await folder(dir));
    assert.equal(await stateIn(await folder(dir)), await stateIn(store));
  });
});

describe.skipIf(noPostgres !== null)("a copy into PostgreSQL", () => {
  it("that is interrupted anywhere leaves nothing there", async () => {
    const { store } = await written();
    for (const page of [0, 1, 2, "check"] as const) {
      const url = await server().database();
      const end =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()";
      const cutting = (whole: Whole): Whole => ({
        ...whole,
        async *pages() {
          let n = 0;
          for await (const it of whole.pages()) {
            if (n++ === page) server().sql(url, end);
            yield it;
          }
        },
      });
      const check = async () => {
        if (page === "check") throw new Error("not the same");
      };
      const copying = store.read({ alone: true }, (whole) => database(url).fill(cutting(whole), check));
      await assert.rejects(copying, page === "check" ? /not the same/ : { code: "store.unreachable" });
      assert.equal(server().sql(url, "SELECT seq, (SELECT count(*) FROM events) FROM head"), "0|0");
      await copyStore(store, database(url));
    }
  });

  also("is refused where there is a store, and out of one whose daemon is there", async () => {
    const url = await server().database();
    const log = logAt(url, { keeper: keeper("/a") });
    onTestFinished(() => log.close());
    await log.open();
    await log.machines("anvil");
    await writeLog(log, askedRange(1, 3));
    const { store } = await written();
    await assert.rejects(copyStore(store, database(url)), { code: "store.not-empty" });
    await assert.rejects(copyStore(database(url), await folder()), {
      code: "store.in-use",
      message: /anvil/,
    });
    await log.close();
    const back = await folder();
    await copyStore(database(url), back);
    assert.equal((await back.status()).tip, 3);
    const nothing = database(await server().database());
    await assert.rejects(copyStore(nothing, await folder()), { code: "store.absent" });
    assert.equal((await nothing.status()).exists, false);
  });

  it("that was rewound is noticed by a daemon that was ahead, and by verify", async () => {
    const url = await server().database();
    const mine = keeper("/a");
    const log = logAt(url, { keeper: mine });
    await log.open();
    await writeLog(log, askedRange(1, 3));
    const file = path.join(tempDir(), "backup.gz");
    await backUp(database(url), file);
    await writeLog(log, askedRange(4, 5));
    await log.close();
    const restored = await server().database();
    await restore(database(restored), file);
    const seen = mine.kept()?.seen ?? null;
    assert.deepEqual((await database(restored, seen).verify()).problem?.seq, 4);
    const ahead = logAt(restored, { keeper: mine });
    onTestFinished(() => ahead.close());
    await assert.rejects(ahead.open(), { code: "store.rewound" });
    const level = logAt(restored, { keeper: keeper("/b") });
    onTestFinished(() => level.close());
    assert.equal((await level.open()).tip, 3);
  });
});

describe("a backup", () => {
  it("that is damaged in any way is refused, before anything is written", async () => {
    const { store } = await written();
    const file = path.join(tempDir(), "backup.gz");
    await backUp(store, file);
    const whole = fs.readFileSync(file);
    const text = gunzipSync(whole).toString();
    const lines = text.split("\n");
    const cases: Record<string, Buffer | string> = {
      empty: "",
      "cut off": whole.subarray(0, whole.length - 200),
      "a changed byte": Buffer.from(whole).fill(0x11, whole.length >> 1, (whole.length >> 1) + 1),
      "not compressed": text,
      "a line is gone": gzipSync(lines.toSpliced(40, 1).join("\n")),
      "two lines are swapped": gzipSync(lines.toSpliced(40, 2, lines[41] ?? "", lines[40] ?? "").join("\n")),
      "an edited event": gzipSync(text.replace("dec-", "dec_")),
      "no end": gzipSync(lines.slice(0, -2).join("\n")),
      "more after the end": gzipSync(`${text}{}\n`),
      "another file": gzipSync('{"name": "oddjobs"}\n'),
      "not JSON": gzipSync("hello\n"),
    };
    for (const [name, content] of Object.entries(cases)) {
      fs.writeFileSync(file, content);
      const target = await folder();
      await assert.rejects(restore(target, file), { code: "backup.damaged" }, name);
      assert.ok(!fs.existsSync(path.join(target.shown, "events.db")), name);
    }
    fs.writeFileSync(file, gzipSync('{"oj_backup": 99, "version": "9.0.0"}\n'));
    await assert.rejects(restore(await folder(), file), { code: "store.newer", message: /oj 9\.0\.0/ });
    await assert.rejects(restore(await folder(), `${file}.gone`), { code: "backup.failed" });
    await assert.rejects(backUp(store, "/proc/nowhere/backup.gz"), { code: "backup.failed" });
  });
});

describe("a check of a whole store", () => {
  it("names the first event that is damaged, missing or cut off, and changes nothing", async () => {
    const { dir, store } = await written();
    assert.deepEqual(await store.verify(), { events: EVENTS, tip: EVENTS, problem: null, warnings: [] });
    const sqlite = async (sql: string) => {
      const { loadDriver } = await import("../../src/adapters/sqlite/driver.ts");
      const db = (await loadDriver()).open(path.join(dir, "events.db"));
      db.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
      db.close();
    };
    for (const [sql, seq] of [
      ["DELETE FROM events WHERE seq = 2500", 2500],
      ["DELETE FROM events WHERE seq = 1200", 1200],
      ["UPDATE events SET body = replace(body, 'shop', 'shed') WHERE seq = 900", 900],
      ["UPDATE events SET body = x'00' WHERE seq = 17", 17],
    ] as const) {
      await sqlite(sql);
      const before = filesIn(dir);
      assert.equal((await store.verify()).problem?.seq, seq, sql);
      assert.deepEqual(filesIn(dir), before);
    }
    await assert.rejects(copyStore(store, await folder()), { code: "store.damaged" });
    const file = path.join(tempDir(), "backup.gz");
    await assert.rejects(backUp(store, file), { code: "store.damaged" });
    assert.ok(!fs.existsSync(file));
  });
});
