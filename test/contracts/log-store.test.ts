/** The store by itself: how it refuses when the disk is full or read-only, and what its files look like. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { Database } from "../../src/adapters/sqlite/driver.ts";
import { storeError } from "../../src/adapters/sqlite/errors.ts";
import { foldLog, verifyLog } from "../../src/adapters/sqlite/fold.ts";
import type { Place } from "../../src/adapters/sqlite/place.ts";
import type { Outcome, Store } from "../../src/adapters/sqlite/store.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { sqliteStore } from "../../src/adapters/sqlite/whole.ts";
import type { Event } from "../../src/core/model/events.ts";
import { appendOf, asked, askedRange, copyOf, placeAt, readAll, tempDir } from "./log-support.ts";

describe("a full disk", () => {
  it("refuses appends and says so, serves reads, and recovers when there is space again", async () => {
    const { store, dir, db } = await opened();
    append(store, askedRange(1, 5));
    db.exec("PRAGMA max_page_count = 8"); // a real SQLITE_FULL
    const large = asked(6, "dec-6", "x".repeat(100_000));
    for (let round = 0; round < 3; round += 1)
      assertRefused(store, [large], "store.full", `The disk that holds ${dir} is full; nothing was written.`);
    assert.deepEqual(readAll(store), askedRange(1, 5));
    db.exec("PRAGMA max_page_count = 4294967294");
    append(store, [large]);
    assert.deepEqual(readAll(store), [...askedRange(1, 5), large]);
    store.close();
    const again = openStore(await placeAt(copyOf(dir)));
    assert.equal(again.open(false)?.tip, 6);
  });

  it("fails everyone who shared the commit, and keeps nobody's events", async () => {
    const { store, db } = await opened();
    db.exec("PRAGMA max_page_count = 8");
    const outcomes = store.append([
      appendOf([asked(1)]),
      appendOf([asked(2, "dec-2", "x".repeat(100_000))]),
      appendOf([asked(3)]),
    ]);
    assert.deepEqual(
      outcomes.map((it) => isError(it) && (it.error as { code?: string }).code),
      ["store.full", "store.full", "store.full"],
    );
    assert.deepEqual(readAll(store), []);
    append(store, [asked(1)]);
    store.close();
  });
});

describe("a folder that can't be written to", () => {
  it("refuses appends until it can", async () => {
    const { store, dir, db } = await opened();
    db.exec("PRAGMA query_only = ON"); // chmod does not stop root
    assertRefused(
      store,
      [asked(1)],
      "store.read-only",
      `${dir} can't be written to: attempt to write a readonly database.`,
    );
    db.exec("PRAGMA query_only = OFF");
    append(store, [asked(1)]);
    store.close();
  });

  it("refuses to open", () => {
    const denied = Object.assign(new Error("EACCES: permission denied, mkdir '/x'"), {
      code: "EACCES",
      syscall: "mkdir",
    });
    const { code, hint } = storeError(denied, "/x") as { code?: string; hint?: string };
    assert.deepEqual([code, hint], ["store.read-only", "ls -ld /x"]);
  });
});

describe("other trouble", () => {
  it("is refused with SQLite's own message", async () => {
    const { store, db } = await opened();
    db.exec("CREATE TRIGGER no BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'the moon is full'); END");
    assertRefused(store, [asked(1)], "store.failed", /the moon is full/);
    db.exec("DROP TRIGGER no");
    append(store, [asked(1)]);
    store.close();
  });

  it("is a bug if it does not come from outside, and keeps its stack", () => {
    const bug = new TypeError("undefined is not a function");
    assert.equal(storeError(bug, "/x"), bug);
  });

  it("is refused at once if SQLite won't wait for the disk", async () => {
    const place = await placeAt(tempDir());
    const open = place.driver.open;
    const lazy: Place["driver"] = {
      open(file, input) {
        const db = open(file, input);
        return {
          exec: (sql) => db.exec(sql.replace("synchronous = FULL", "synchronous = NORMAL")),
          prepare: (sql) => db.prepare(sql),
          close: () => db.close(),
          isTransaction: false,
        };
      },
    };
    assert.throws(() => openStore({ ...place, driver: lazy }).open(false), {
      code: "store.failed",
      message: "SQLite would not wait for the disk (journal_mode wal, synchronous 1).",
    });
  });

  it("is refused by the next thread if a file vanished while it was open", async () => {
    const dir = tempDir();
    const store = openStore(await placeAt(dir));
    assertRefused(store, [asked(1)], "store.failed", `${dir}/events.db is gone.`);
  });
});

describe("a connection", () => {
  it("prepares a statement once, because the package frees it only when the thread ends", async () => {
    const db = (await placeAt(tempDir())).driver.open(":memory:");
    assert.equal(db.prepare("SELECT 1"), db.prepare("SELECT 1"));
    db.close();
  });
});

describe("the files of a log", () => {
  it("state their format in the header and can be read only by their owner", async () => {
    const { store, dir } = await opened();
    append(store, [asked(1)]);
    const file = path.join(dir, "events.db");
    const copy = path.join(copyOf(dir), "events.db");
    assert.equal(fs.readFileSync(copy).readUInt32BE(60), 2);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    store.close();
  });

  it("include the two newest snapshots, and nothing half written", async () => {
    const { store, dir, place } = await opened();
    append(store, askedRange(1, 9));
    fs.writeFileSync(path.join(dir, "snapshot-1.json.tmp"), "half");
    for (const seq of [2, 4, 6, 8]) assert.equal(foldLog(place, seq), seq);
    assert.equal(foldLog(place, 5), 8);
    const names = fs.readdirSync(dir).filter((name) => name.startsWith("snapshot"));
    assert.deepEqual(names.sort(), ["snapshot-6.json", "snapshot-8.json"]);
    assert.equal(fs.statSync(path.join(dir, "snapshot-8.json")).mode & 0o777, 0o600);
    store.close();
  });

  it("are usable after a database was only half created", async () => {
    const dir = tempDir();
    fs.writeFileSync(path.join(dir, "events.db.new"), "half");
    const store = openStore(await placeAt(dir));
    assert.equal(store.open(false)?.tip, 0);
    store.close();
  });
});

describe("whoever reads all of a log beside its daemon", () => {
  /** Each time that the files are listed, which is in the midst of a look: so many snapshots are made, and it is compacted. */
  async function meddled(rounds: number, snapshots: number) {
    const { store, dir, place } = await opened();
    append(store, askedRange(1, 20));
    foldLog(place, 20);
    let tip = 20;
    let left = rounds;
    const list = (folder: string) => {
      if (left > 0) meddle();
      return place.files.list(folder);
    };
    function meddle(): void {
      left -= 1;
      for (let n = 0; n < snapshots; n += 1) {
        append(store, askedRange(tip + 1, tip + 10));
        tip += 10;
        foldLog(place, tip);
      }
      store.compact(tip - 5, 1000);
    }
    return { store, dir, place: { ...place, files: { ...place.files, list } }, tip: () => tip };
  }

  it("does not call it damaged because some of it is compacted meanwhile", async () => {
    const { store, place } = await meddled(1, 0);
    assert.equal(verifyLog(place), null);
    store.close();
  });

  it("still finds damage in what is left of it", async () => {
    const { store, place, dir } = await meddled(1, 0);
    const db = place.driver.open(path.join(dir, "events.db"));
    db.exec("UPDATE events SET body = replace(body, 'Question', 'Answer') WHERE seq = 18");
    const { seq, what } = verifyLog(place) ?? {};
    assert.deepEqual([seq, what], [18, "its checksum is wrong (the snapshot of 20 is used instead)"]);
    store.close();
  });

  for (const what of ["checks", "copies"] as const)
    it(`${what} it as it is by then if all of its snapshots are newer`, async () => {
      const { store, place, dir, tip } = await meddled(3, 2);
      const whole = await sqliteStore(dir, "1.2.3", place.files);
      if (what === "checks") {
        const { problem, warnings } = await whole.verify();
        assert.deepEqual([problem, warnings], [null, []]);
      } else {
        const seen = await whole.read({ alone: false }, async (it) => [it.tip, it.snapshot?.seq]);
        assert.deepEqual(seen, [tip(), tip()]);
      }
      store.close();
    });
});

/** A store, with the connection that it writes through. */
async function opened(): Promise<{ store: Store; dir: string; db: Database; place: Place }> {
  const dir = tempDir();
  const real = await placeAt(dir);
  const connections: Database[] = [];
  const place: Place = {
    ...real,
    driver: {
      open(file, input) {
        const db = real.driver.open(file, input);
        connections.push(db);
        return db;
      },
    },
  };
  const store = openStore(place);
  store.open(false);
  return { store, dir, place, db: connections.at(-1) as Database };
}

function append(store: Store, events: Event[]): void {
  assert.deepEqual(store.append([appendOf(events)]), [null]);
}

function assertRefused(store: Store, events: Event[], code: string, message: string | RegExp): void {
  const [outcome] = store.append([appendOf(events)]);
  assert.ok(outcome && isError(outcome));
  assert.throws(
    () => {
      throw outcome.error;
    },
    { code, message },
  );
}

function isError(outcome: Outcome): outcome is { error: Error } {
  return outcome !== null && outcome !== "behind";
}
