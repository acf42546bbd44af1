/** Forgers of the log: each way of rewriting what happened, in each place that keeps it, and which event is named. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { GENESIS, linkOf, sealText } from "../../src/adapters/audit/chain.ts";
import { keyOf, readKey } from "../../src/adapters/audit/key.ts";
import { postgresStore } from "../../src/adapters/postgres/whole.ts";
import { databaseFile } from "../../src/adapters/sqlite/database.ts";
import { loadDriver } from "../../src/adapters/sqlite/driver.ts";
import { sumOf } from "../../src/adapters/sqlite/records.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { tipFile } from "../../src/adapters/sqlite/tip.ts";
import { sqliteStore } from "../../src/adapters/sqlite/whole.ts";
import { backUp, checkpointOf, copyStore, exportAudit, restore, verifyAudit } from "../../src/store/main.ts";
import type { WholeStore } from "../../src/store-ports.ts";
import { writeLog } from "../fakes/write-log.ts";
import { appendOf, askedRange, copyOf, placeAt, tempDir, withdrawn } from "./log-support.ts";
import { keeper, logAt, noPostgres, sharedServer } from "./postgres-support.ts";

const server = sharedServer();

/** Written together: 1, 2–3, 4–6, 7, 8. */
const BATCHES = [[1, 1], [2, 3], [4, 6], [7, 7], [8, 8]] as const; // biome-ignore format: one line

interface Row {
  seq: number;
  stream: string;
  body: string;
  chain: string;
  first: number | null;
  sig: string | null;
}

interface Forgery {
  does: string;
  forge(rows: Row[]): Row[];
  /** The links (and their signatures) are forged too, not just the events. */
  deep?: true;
  /** Which events may be named. */
  named: number[];
}

const edit = (row: Row): Row => ({ ...row, body: row.body.replace("why", "because") });
const moved = (row: Row, seq: number): Row => ({
  ...row,
  seq,
  body: row.body.replace(/"seq":\d+/, `"seq":${seq}`),
});

/** As somebody would who knows how links are made, but has no key. */
function relinked(
  rows: Row[],
  sign: (first: number, last: number, link: Buffer, old: string | null) => string | null,
): Row[] {
  let link: Buffer = GENESIS;
  return rows.map((row) => {
    link = linkOf(link, row.seq, row.stream, row.body);
    const sig = row.first === null ? null : sign(row.first, row.seq, link, row.sig);
    return { ...row, chain: link.toString("hex"), sig };
  });
}

const FORGERIES: Forgery[] = [
  { does: "edits the first event", forge: (rows) => rows.map((it) => (it.seq === 1 ? edit(it) : it)), named: [1] },
  { does: "edits one in the middle of a batch", forge: (rows) => rows.map((it) => (it.seq === 5 ? edit(it) : it)), named: [5] },
  { does: "edits the last event", forge: (rows) => rows.map((it) => (it.seq === 8 ? edit(it) : it)), named: [8] },
  { does: "deletes an event", forge: (rows) => rows.filter((it) => it.seq !== 4), named: [4] },
  {
    does: "deletes an event and closes the gap",
    forge: (rows) => rows.filter((it) => it.seq !== 4).map((it) => (it.seq > 4 ? moved(it, it.seq - 1) : it)),
    named: [3, 4],
  },
  {
    does: "swaps two events",
    forge: (rows) =>
      rows
        .map((it) => (it.seq === 5 ? moved(it, 6) : it.seq === 6 ? moved(it, 5) : it))
        .sort((a, b) => a.seq - b.seq),
    named: [5],
  },
  { does: "cuts off the end", forge: (rows) => rows.filter((it) => it.seq <= 6), named: [6, 7] },
  {
    does: "adds an event at the end",
    forge: (rows) => [...rows, { ...moved(rows[7] as Row, 9), chain: "00".repeat(32), first: null, sig: null }],
    named: [9],
  },
  {
    does: "recomputes every link and keeps the signatures",
    forge: (rows) => relinked(rows.map((it) => (it.seq === 7 ? edit(it) : it)), (_f, _l, _link, old) => old),
    deep: true,
    named: [7],
  },
  {
    does: "recomputes every link and drops later signatures",
    forge: (rows) =>
      relinked(rows.map((it) => (it.seq === 7 ? edit(it) : it)), (_f, last, _link, old) => (last < 7 ? old : null)),
    deep: true,
    named: [7],
  },
  {
    does: "signs everything with a key of their own",
    forge: (rows) => {
      const dir = tempDir();
      const { sign } = keyOf(dir);
      return relinked(rows.map((it) => (it.seq === 2 ? edit(it) : it)), (first, last, link) =>
        sign(sealText(first, last, link)).toString("hex"),
      );
    },
    deep: true,
    named: [1], // its signature is another one, too
  },
  {
    does: "stamps everything with a key of their own",
    forge: (rows) => {
      const { stamp } = keyOf(tempDir());
      return relinked(rows.map((it) => (it.seq === 2 ? edit(it) : it)), (first, last, link) =>
        stamp(sealText(first, last, link)).toString("hex"),
      );
    },
    deep: true,
    named: [1],
  },
  {
    does: "puts something of another length where the last signature was",
    forge: (rows) => rows.map((it) => (it.seq === 8 ? { ...it, sig: "00" } : it)),
    deep: true,
    named: [8],
  },
]; // biome-ignore format: a table

interface Place {
  /** The state folder, with the machine's key. */
  folder: string;
  store: WholeStore;
  rows(): Promise<Row[]>;
  write(rows: Row[], deep: boolean): Promise<void>;
}

async function sqlitePlace(): Promise<Place> {
  const folder = tempDir();
  const place = await placeAt(folder);
  const log = openStore(place);
  log.open(false);
  for (const [first, last] of BATCHES) log.append([appendOf(askedRange(first, last))]);
  log.close();
  const store = await sqliteStore(folder, "1.2.3");
  return {
    folder,
    store,
    rows: () => rowsOf(store),
    async write(rows, deep) {
      const db = (await loadDriver()).open(databaseFile(place));
      db.exec("DELETE FROM events");
      const insert = db.prepare("INSERT INTO events (seq, stream, body, sum) VALUES (?, ?, ?, ?)");
      for (const { seq, stream, body } of rows) insert.run(seq, stream, body, sumOf(seq, stream, body));
      if (deep) {
        db.exec("DELETE FROM seals");
        const seal = db.prepare("INSERT INTO seals (last, first, links, sig) VALUES (?, ?, ?, ?)");
        for (const { seq, first, sig } of rows) {
          if (first === null) continue;
          const links = rows.filter((it) => it.seq >= first && it.seq <= seq).map((it) => bytes(it.chain));
          seal.run(seq, first, Buffer.concat(links), sig === null ? null : bytes(sig));
        }
      }
      db.close();
    },
  };
}

let shared: { place: Place; rows: Row[] } | null = null;

/** One database for all tests: each finds it as it was written. */
async function postgresPlace(): Promise<Place> {
  if (shared !== null) {
    await shared.place.write(shared.rows, true);
    return shared.place;
  }
  const place = await freshPostgres();
  shared = { place, rows: await place.rows() };
  return place;
}

async function freshPostgres(): Promise<Place> {
  const folder = tempDir();
  const url = await server().database();
  const kept = { ...keeper(folder), key: () => keyOf(folder) };
  const log = logAt(url, { keeper: kept });
  await log.open();
  for (const [first, last] of BATCHES) await writeLog(log, askedRange(first, last));
  await log.close();
  const known = {
    id: kept.kept()?.id ?? "",
    key: readKey(folder)?.public ?? null,
    seen: kept.kept()?.seen ?? null,
  };
  const store = postgresStore({ url, password: null, version: "1.2.3", known });
  return {
    folder,
    store,
    rows: () => rowsOf(store),
    async write(rows, deep) {
      const values = rows.map(({ seq, stream, body, chain }) => {
        const at = Math.min(seq, 8);
        const batch = `(SELECT batch FROM batches WHERE first <= ${at} AND last >= ${at})`;
        return `(${seq}, ${batch}, '${stream}', $body$${body}$body$, '\\x${chain}')`;
      });
      const last = rows.at(-1);
      const signed = rows.flatMap(({ seq, first, sig }) =>
        deep && first !== null
          ? [`UPDATE batches SET sig = ${sig === null ? "NULL" : `'\\x${sig}'`} WHERE last = ${seq}`]
          : [],
      );
      const all = [
        "DELETE FROM events",
        `INSERT INTO events (seq, batch, stream, body, chain) VALUES ${values.join(", ")}`,
        `UPDATE head SET seq = ${last?.seq}, chain = '\\x${last?.chain}'`,
        ...signed,
      ];
      server().sql(url, all.join(";\n")); // at once: each call takes a program of its own
    },
  };
}

/** The file that somebody was given. */
async function exportedPlace(): Promise<Place & { file: string }> {
  const from = await sqlitePlace();
  const file = path.join(from.folder, "audit.jsonl");
  await exportAudit(from.store, file, from.folder);
  return {
    ...from,
    file,
    async rows() {
      const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n").slice(1, -1);
      return lines.map((line) => {
        const { seq, stream, body, chain, seal } = JSON.parse(line);
        const sig = seal?.sig ? Buffer.from(seal.sig, "base64").toString("hex") : null;
        return { seq, stream, body, chain, first: seal?.first ?? null, sig };
      });
    },
    async write(rows) {
      const [head, ...rest] = fs.readFileSync(file, "utf8").trimEnd().split("\n");
      const lines = rows.map(({ seq, stream, body, chain, first, sig }) => {
        const signed = sig === null ? null : bytes(sig).toString("base64");
        return JSON.stringify({
          seq,
          stream,
          body,
          chain,
          seal: first === null ? null : { first, signer: "", sig: signed },
        });
      });
      fs.writeFileSync(file, `${[head, ...lines, rest.at(-1)].join("\n")}\n`);
    },
  };
}

const bytes = (hex: string) => Buffer.from(hex, "hex");

async function rowsOf(store: WholeStore): Promise<Row[]> {
  return store.testify(async (evidence) => {
    const rows: Row[] = [];
    for await (const page of evidence.rows())
      for (const { seq, stream, body, chain, seal } of page)
        rows.push({
          seq,
          stream,
          body,
          chain: chain?.toString("hex") ?? "",
          first: seal?.first ?? null,
          sig: seal?.sig?.toString("hex") ?? null,
        });
    return rows;
  });
}

const verify = ({ store, folder }: Place, ...files: string[]) =>
  verifyAudit(async () => store, files, folder);

function suite(name: string, placeOf: () => Promise<Place & { file?: string }>, skip = false) {
  describe.skipIf(skip)(name, () => {
    it("is sound as it was written, and every event is signed for", async () => {
      const place = await placeOf();
      const { problem, events, signed, warnings } = await verify(place, ...(place.file ? [place.file] : []));
      assert.deepEqual(
        { problem, events, signed, warnings },
        { problem: null, events: 8, signed: 8, warnings: [] },
      );
    });

    it.each(FORGERIES)("names the event when a forger $does", async ({ forge, named, deep }) => {
      const place = await placeOf();
      await place.write(forge(await place.rows()), deep ?? false);
      const { problem } = await verify(place, ...(place.file ? [place.file] : []));
      assert.ok(problem !== null, "not noticed");
      assert.ok(named.includes(problem.seq), `event ${problem.seq}: ${problem.what}`);
    });

    it("is not what a checkpoint says once everything was rewritten, with the key and all", async () => {
      const place = await placeOf();
      const note = path.join(place.folder, "kept.note");
      fs.writeFileSync(note, await checkpointOf(place.store, place.folder));
      const key = keyOf(place.folder);
      const rows = relinked(
        (await place.rows()).map((it) => (it.seq === 2 ? edit(it) : it)),
        (first, last, link) => key.sign(sealText(first, last, link)).toString("hex"),
      );
      await place.write(rows, true);
      const { problem } = await verify(place, note, ...(place.file ? [place.file] : []));
      assert.equal(problem?.seq, 8);
      assert.match(problem?.what ?? "", /replaced/);
    });

    it("is refused with a checkpoint that another machine has signed", async () => {
      const place = await placeOf();
      const note = path.join(place.folder, "their.note");
      fs.writeFileSync(note, await checkpointOf(place.store, tempDir()));
      const { problem } = await verify(place, note, ...(place.file ? [place.file] : []));
      assert.match(problem?.what ?? "", /was not signed by a machine of this log/);
    });
  });
}

suite("a log on SQLite", sqlitePlace);
suite("a log on PostgreSQL", postgresPlace, noPostgres !== null);
suite("an export", exportedPlace);

describe("the chain", () => {
  it("is continued after a restart and compaction", async () => {
    const first = await sqlitePlace();
    const before = await verify(first);
    const folder = copyOf(first.folder); // no connection remembers it
    const place = await placeAt(folder);
    const again = openStore(place);
    again.open(false);
    again.compact(3, 3);
    again.append([appendOf([withdrawn(9, "dec-5")])]);
    again.close();
    const after = await verifyAudit(() => sqliteStore(folder, "1.2.3"), [], folder);
    assert.deepEqual([after.problem, after.events, after.signed], [null, 6, 9]);
    assert.notEqual(after.chain, before.chain);
  });

  it("is the same in a copy and in what was restored, and the next event signs for all of it", async () => {
    const { folder, store } = await sqlitePlace();
    const { chain } = await verifyAudit(async () => store, [], folder);
    const [copy, restored] = [tempDir(), tempDir()];
    await copyStore(store, await sqliteStore(copy, "1.2.3"));
    await backUp(store, path.join(folder, "backup.gz"));
    await restore(await sqliteStore(restored, "1.2.3"), path.join(folder, "backup.gz"));
    for (const dir of [copy, restored]) {
      const there = await sqliteStore(dir, "1.2.3");
      const unsigned = await verifyAudit(async () => there, [], dir);
      assert.deepEqual([unsigned.problem, unsigned.chain, unsigned.signed], [null, chain, 0]);
      const again = copyOf(dir);
      const log = openStore(await placeAt(again));
      log.open(false);
      log.append([appendOf([withdrawn(9, "dec-5")])]);
      log.close();
      const signed = await verifyAudit(() => sqliteStore(again, "1.2.3"), [], again);
      assert.deepEqual([signed.problem, signed.signed, signed.warnings], [null, 9, []]);
    }
  });

  it("counts in a log of an older oj, which signed each commit, and goes on in it", async () => {
    const place = await sqlitePlace();
    const { sign } = keyOf(place.folder);
    const signed = relinked(await place.rows(), (first, last, link) =>
      sign(sealText(first, last, link)).toString("hex"),
    );
    await place.write(signed, true);
    const folder = copyOf(place.folder);
    const log = openStore(await placeAt(folder));
    log.open(false);
    log.append([appendOf([withdrawn(9, "dec-5")])]);
    log.close();
    const { problem, signed: upTo } = await verifyAudit(() => sqliteStore(folder, "1.2.3"), [], folder);
    assert.deepEqual([problem, upTo], [null, 9]);
  });

  it("carries signatures in an export, which anybody can check, and a stamp counts for nothing there", async () => {
    const place = await exportedPlace();
    const rows = await place.rows();
    const lengths = rows.flatMap(({ sig }) => (sig === null ? [] : [sig.length / 2]));
    assert.deepEqual(lengths, [64, 64, 64, 64, 64]);
    const { stamp } = keyOf(place.folder); // the right key, but nobody else could tell
    await place.write(
      relinked(rows, (first, last, link) => stamp(sealText(first, last, link)).toString("hex")),
      true,
    );
    assert.equal((await verify(place, place.file)).problem?.seq, 1);
  });

  it("is made for a log of an older oj when it is next opened", async () => {
    const { folder, store } = await sqlitePlace();
    const place = await placeAt(folder);
    const { chain } = await verifyAudit(async () => store, [], folder);
    const old = (await loadDriver()).open(databaseFile(place));
    old.exec("DROP TABLE seals; PRAGMA user_version = 1");
    old.close();
    const unsealed = await verifyAudit(async () => store, [], folder);
    assert.match(unsealed.warnings.join(), /start the daemon once/);
    const again = copyOf(folder);
    const log = openStore(await placeAt(again));
    log.open(false);
    log.close();
    const sealed = await verifyAudit(() => sqliteStore(again, "1.2.3"), [], again);
    assert.deepEqual([sealed.problem, sealed.chain, sealed.events], [null, chain, 8]);
  });

  it("names what a repair had to give up, and goes on after it", async () => {
    const { folder, store } = await sqlitePlace();
    const place = await placeAt(folder);
    const db = (await loadDriver()).open(databaseFile(place));
    db.exec("UPDATE events SET body = replace(body, 'why', 'hm') WHERE seq = 5");
    db.close();
    const first = openStore(place);
    assert.equal(first.open(true), null);
    const log = openStore(place);
    log.open(false);
    log.append([appendOf([withdrawn(9, "dec-3")])]);
    log.close();
    const { problem, more, tip, signed } = await verifyAudit(async () => store, [], folder);
    assert.deepEqual([problem?.seq, more, tip, signed], [5, 0, 9, 9]);
  });

  it("notices a log that was cut off together with its links", async () => {
    const { folder, store } = await sqlitePlace();
    const place = await placeAt(folder);
    const db = (await loadDriver()).open(databaseFile(place));
    db.exec("DELETE FROM events WHERE seq > 6; DELETE FROM seals WHERE last > 6");
    db.close();
    assert.ok(fs.existsSync(tipFile(place)));
    assert.equal((await verifyAudit(async () => store, [], folder)).problem?.seq, 7);
  });

  it("is not proven by a key of another kind, or none", async () => {
    const { folder, store } = await sqlitePlace();
    const { privateKey } = generateKeyPairSync("ed25519");
    fs.writeFileSync(path.join(folder, "machine-key"), privateKey.export({ type: "pkcs8", format: "pem" }));
    assert.equal((await verifyAudit(async () => store, [], folder)).problem?.seq, 1);
    fs.rmSync(path.join(folder, "machine-key"));
    const { problem, warnings } = await verifyAudit(async () => store, [], folder);
    assert.deepEqual([problem, warnings.length], [null, 1]);
  });

  it("refuses a file that is nothing of ours", async () => {
    const { folder, store } = await sqlitePlace();
    for (const text of ["", "{}", "hello\n\n— x y\n", '{"oj_audit":1}\n']) {
      fs.writeFileSync(path.join(folder, "odd"), text);
      const checking = verifyAudit(async () => store, [path.join(folder, "odd")], folder);
      await assert.rejects(checking, { code: "audit.unreadable" }, JSON.stringify(text));
    }
  });
});
