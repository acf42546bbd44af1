/** An erased text is gone from every file and table, and what is left still verifies: on both stores, and in what leaves them. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { keyOf, readKey } from "../../src/adapters/audit/key.ts";
import { postgresStore } from "../../src/adapters/postgres/whole.ts";
import { databaseFile, refuseNewer } from "../../src/adapters/sqlite/database.ts";
import { loadDriver } from "../../src/adapters/sqlite/driver.ts";
import { sumOf } from "../../src/adapters/sqlite/records.ts";
import { sqliteStore } from "../../src/adapters/sqlite/whole.ts";
import { remnantIn } from "../../src/core/control/erase.ts";
import { eraserOf } from "../../src/core/model/erased/remnant.ts";
import type { Event } from "../../src/core/model/events.ts";
import { replay } from "../../src/core/model/state/state.ts";
import type { Log } from "../../src/ports.ts";
import { backUp, checkpointOf, copyStore, exportAudit, restore, verifyAudit } from "../../src/store/main.ts";
import type { WholeStore } from "../../src/store-ports.ts";
import { writeLog } from "../fakes/write-log.ts";
import {
  asked,
  askedRange,
  copyOf,
  placeAt,
  stateOf,
  tempDir,
  threadedLog,
  withdrawn,
} from "./log-support.ts";
import { keeper, logAt, noPostgres, sharedServer } from "./postgres-support.ts";

const server = sharedServer();
const SECRET = "zebra-7f3a-secret";

/** Event 2 is the decision that is erased, 5 its end. */
const created = (): Event => ({ ...asked(2), context: `use ${SECRET}`, title: SECRET }) as Event;
const ended = (): Event => ({ ...withdrawn(5, "dec-2"), reason: `because of ${SECRET}` }) as Event;

interface Place {
  folder: string;
  log: Log;
  store: WholeStore;
  /** Of the database, if it is one. */
  url: string;
  /** Everything that is stored, as bytes. */
  bytes(): string;
}

async function sqlitePlace(): Promise<Place> {
  const folder = tempDir();
  const files = () => fs.readdirSync(folder).map((it) => fs.readFileSync(path.join(folder, it), "latin1"));
  const store = await sqliteStore(folder, "1.2.3");
  return { folder, url: "", log: await threadedLog(folder), store, bytes: () => files().join() };
}

async function postgresPlace(): Promise<Place> {
  const folder = tempDir();
  const url = await server().database();
  const kept = { ...keeper(folder), key: () => keyOf(folder) };
  const known = () => ({ id: kept.kept()?.id ?? "", key: readKey(folder)?.public ?? null, seen: null });
  const of = (known: Parameters<typeof postgresStore>[0]["known"]) =>
    postgresStore({ url, password: null, version: "1.2.3", known });
  const store: WholeStore = { ...of(null), testify: (work) => of(known()).testify(work) };
  const bytes = () => server().sql(url, "SELECT body FROM events; SELECT encode(sha, 'hex') FROM snapshots");
  return { folder, url, log: logAt(url, { keeper: kept }), store, bytes };
}

const PLACES = [
  ["SQLite", sqlitePlace, null],
  ["PostgreSQL", postgresPlace, noPostgres],
] as const;

async function written(place: Place): Promise<Event[]> {
  await place.log.open();
  const events = [asked(1), created(), ...askedRange(3, 4), ended()];
  for (const event of events) await writeLog(place.log, [event]);
  return events;
}

async function erase({ log }: Place, seq: number): Promise<void> {
  const events = await log.read(0, 100);
  const decision = [...replay(events).decisions.values()].find((it) => it.title === SECRET);
  assert.ok(decision);
  const eraser = eraserOf(decision);
  const remnants = events.flatMap((it) => eraser.remnantOf(it) ?? []).map(remnantIn);
  assert.deepEqual(
    remnants.map((it) => it.seq),
    [2, 5],
  );
  const records = remnants.map(({ seq, sha256 }) => ({ seq, sha256 }));
  const what = { id: decision.id, project: decision.project, by: "root", via: "cli", reason: null, records };
  const release = log.leaving(remnants);
  await writeLog(log, [{ seq, at_ms: 9, type: "audit:erased", ...what } as Event]);
  release();
}

const verified = ({ store, folder }: Place, ...files: string[]) =>
  verifyAudit(async () => store, files, folder);

for (const [name, make, why] of PLACES)
  describe.skipIf(why !== null)(`erasing on ${name}`, () => {
    it("leaves nothing of the text, and everything verifies, with a checkpoint from before", async () => {
      const place = await make();
      await written(place);
      await place.log.snapshot(5);
      assert.ok(place.bytes().includes(SECRET));
      const note = path.join(place.folder, "before.note");
      fs.writeFileSync(note, await checkpointOf(place.store, place.folder));
      await erase(place, 6);
      await place.log.scour();
      assert.ok(!place.bytes().includes(SECRET));
      await writeLog(place.log, [asked(7)]);
      const audited = await verified(place, note);
      assert.deepEqual(audited.problem, null);
      assert.deepEqual(
        audited.erased.map(({ by, events }) => [by, events]),
        [["root", 2]],
      );
      assert.equal((await place.store.verify()).problem, null);
      const opened = await place.log.open();
      assert.ok(!(opened.snapshot?.state ?? "").includes(SECRET));
      assert.ok(!(await stateOf(place.log, opened)).includes(SECRET));
      for (const it of [...(await place.log.read(0, 9)), ...(await place.log.look(0, 9))])
        assert.ok(!("salt" in it), `${it.type} shows its salt`);
      await place.log.close();
    });

    it("keeps its proof in a backup, a restored store, a copy and an export", async () => {
      const place = await make();
      await written(place);
      await erase(place, 6);
      await place.log.scour();
      await place.log.close();
      const link = (await verified(place)).chain;
      const file = path.join(place.folder, "audit.jsonl");
      await exportAudit(place.store, file, place.folder);
      assert.deepEqual((await verified(place, file)).problem, null);
      assert.equal(JSON.parse(fs.readFileSync(file, "utf8").split("\n")[0] ?? "").oj_audit, 2);
      const backup = path.join(place.folder, "b.gz");
      await backUp(place.store, backup);
      const folders = [tempDir(), tempDir()] as const;
      const [restored, copied] = [await sqliteStore(folders[0], "1"), await sqliteStore(folders[1], "1")];
      await restore(restored, backup);
      await copyStore(place.store, copied);
      for (const [n, store] of [restored, copied].entries()) {
        const audited = await verifyAudit(async () => store, [], folders[n] ?? "");
        assert.deepEqual([audited.problem, audited.chain], [null, link]);
        const older = await placeAt(folders[n] ?? "");
        assert.throws(() => refuseNewer(older, 3), { code: "store.newer", message: /log format 4/ });
      }
    });

    it("is found out where somebody only says that a text was erased", async () => {
      const place = await make();
      await written(place);
      await erase(place, 6);
      await place.log.scour();
      await place.log.close();
      for (const [seq, forge] of [
        [3, (body: string) => body.replace(/\}$/, ',"erased":true}')],
        [5, (body: string) => body.replace(/"by":"[^"]*"/, '"by":"eve"')],
      ] as const) {
        const was = await forgeBody(place, seq, forge);
        assert.deepEqual((await verified(place)).problem?.seq, seq);
        if (name === "PostgreSQL") assert.equal((await place.store.verify()).problem?.seq, seq);
        await forgeBody(place, seq, () => was);
      }
      assert.equal((await verified(place)).problem, null);
    });

    it("is all or nothing, and what was left of it on disk goes at the next start", async () => {
      const place = await make();
      await written(place);
      await place.log.snapshot(5);
      const unknown = erase({ ...place, log: { ...place.log, leaving: () => () => {} } }, 6);
      await assert.rejects(unknown, /is not known/);
      assert.equal((await place.log.read(0, 100)).length, 5);
      await erase(place, 6); // and dies before it could scour
      if (name === "SQLite") {
        const killed = copyOf(place.folder);
        const next = await threadedLog(killed);
        await next.open();
        assert.ok(fs.existsSync(path.join(killed, "snapshot-5.json")));
        await next.scour();
        assert.deepEqual(
          fs.readdirSync(killed).filter((it) => it.startsWith("snapshot-")),
          ["snapshot-6.json"],
        );
        for (const it of fs.readdirSync(killed))
          assert.ok(!fs.readFileSync(path.join(killed, it), "latin1").includes(SECRET), it);
        await next.close();
      } else {
        await place.log.scour();
        const { snapshot } = await place.log.open();
        assert.equal(snapshot?.seq, 6);
        assert.ok(!snapshot.state.includes(SECRET));
      }
      await place.log.scour(); // does nothing
      await place.log.close();
    });
  });

describe.skipIf(noPostgres !== null)("the database itself", () => {
  it("changes an event in no other way, keeps older daemons out, and lets the daemon's role erase", async () => {
    const place = await postgresPlace();
    const events = await written(place);
    const { url } = place;
    const stays = JSON.stringify({ ...events[4], reason: "[erased]", by: "eve", erased: true });
    assert.throws(() => server().sql(url, `SELECT erase('{5}', ARRAY[$b$${stays}$b$])`), /not what is left/);
    const open = JSON.stringify({ ...events[4], reason: "[erased]" });
    assert.throws(() => server().sql(url, `SELECT erase('{5}', ARRAY[$b$${open}$b$])`), /not what is left/);
    const levels = () => server().sql(url, "SELECT min_reader, min_writer FROM meta").trim();
    assert.match(levels(), /^1\D+3$/);
    await erase(place, 6);
    assert.match(levels(), /^5\D+5$/);
    await place.log.close();
  });
});

/** Returns what was there. Checksums are forged too, links are not. */
async function forgeBody(place: Place, seq: number, forge: (body: string) => string): Promise<string> {
  if (place.store.kind === "postgres") {
    const { url } = place;
    const was = server().sql(url, `SELECT body FROM events WHERE seq = ${seq}`).trim();
    server().sql(url, `UPDATE events SET body = $b$${forge(was)}$b$ WHERE seq = ${seq}`);
    return was;
  }
  const db = (await loadDriver()).open(databaseFile(await placeAt(place.folder)));
  const row = db.prepare("SELECT stream, body FROM events WHERE seq = ?").get(seq) as {
    stream: string;
    body: string;
  };
  const body = forge(row.body);
  db.prepare("UPDATE events SET body = ?, sum = ? WHERE seq = ?").run(
    body,
    sumOf(seq, row.stream, body),
    seq,
  );
  db.close();
  return row.body;
}
