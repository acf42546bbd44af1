/** The file `events.db`: how it is created, opened, recognized and replaced. What its records say is not its concern. */

import path from "node:path";
import { pathToFileURL } from "node:url";
import { Refusal } from "../../core/model/errors.ts";
import type { Knows } from "../../core/rights/writers.ts";
import type { Damage } from "../../ports.ts";
import type { Database } from "./driver.ts";
import { storeFailed, textOf } from "./errors.ts";
import { forgive, renameDurably, syncFile } from "./files.ts";
import type { Place } from "./place.ts";
import type { Run } from "./records.ts";
import { lostRecord } from "./records.ts";
import { copySeals, hasSeals, SEALS, sealOld } from "./seals.ts";
import { keptWal, tipFile } from "./tip.ts";

/** The format of the tables. Whatever it is, `meta` keeps its row "version", so that an older oj can name the newer one. */
const FORMAT = 5;
/** What a new log has: an older oj may write to it. It rises with the first event that takes a writer who knows more. */
const SEALED = 2;
const formatFor = (knows: Knows) => SEALED + knows;
/** What a log without seals has: it gets them when it is next opened. */
const UNSEALED = 1;

/** What a new log will have: the records after `after`, up to `upTo`. Those in no run are marked as lost. */
export interface Records {
  db: Database | null;
  after: number;
  upTo: number;
  runs: Run[];
}

const magic = "SQLite format 3\0";
const headerBytes = 100;
const formatOffset = 60; // SQLite's user_version
const companions = ["-wal", "-shm", "-journal"];

export function databaseFile(place: Place): string {
  return path.join(place.dir, "events.db");
}

/** Why the file can't be a log at all, or null. Looks at the bytes, because SQLite would create files beside it. */
export function brokenHeader(place: Place): string | null {
  const header = place.files.read(databaseFile(place), headerBytes);
  if (header.length === 0) return "it is empty";
  if (header.length < headerBytes) return `it has only ${header.length} bytes`;
  if (header.toString("latin1", 0, magic.length) !== magic)
    return "its first bytes are not those of a database";
  if (header.readUInt32BE(formatOffset) === 0) return "it does not say which format it has";
  return null;
}

/** A log of a newer oj is refused before anything is touched. */
export function refuseNewer(place: Place, newest = FORMAT): void {
  const file = databaseFile(place);
  if (!place.files.exists(file)) return;
  const format = formatOnDisk(place) ?? 0;
  if (format <= newest) return;
  const writer = writerOf(place);
  const by = writer === null ? "a newer oj" : `oj ${writer}`;
  throw newerRefusal(place, `${file} was written by ${by} (log format ${format})`);
}

/** As an oj that is about to open the file sees it; null if it is no database. */
function formatOnDisk(place: Place): number | null {
  const header = place.files.read(databaseFile(place), headerBytes);
  if (header.length < headerBytes || header.toString("latin1", 0, magic.length) !== magic) return null;
  return header.readUInt32BE(formatOffset);
}

function formatOf(db: Database | null): number {
  const row = db?.prepare("PRAGMA user_version").get() as { user_version: number } | undefined;
  return row?.user_version ?? 0;
}

/** From now on only an oj that knows this writes here. In the transaction of the first event that takes it. */
export function raiseFormat(db: Database, knows: Knows): void {
  if (formatOf(db) < formatFor(knows)) db.exec(`PRAGMA user_version = ${formatFor(knows)}`);
}

/** Whether somebody who left is in it. */
export function hasRemoved(db: Database): boolean {
  return formatOf(db) >= formatFor(3);
}

/** Whether texts in it may have been erased. */
export function hasErased(db: Database): boolean {
  return formatOf(db) >= formatFor(2);
}

/**
 * Others look at the first bytes of the file, but a commit only reaches the write-ahead log. Returns whether the file
 * itself says it now: a reader may be in the way.
 */
export function showFormat(db: Database, place: Place): boolean {
  const format = formatOf(db);
  if ((formatOnDisk(place) ?? 0) >= format) return true;
  forgive(() => db.exec("PRAGMA wal_checkpoint(PASSIVE)"));
  return (formatOnDisk(place) ?? 0) >= format;
}

export function newerRefusal(place: Place, what: string): Refusal {
  const message = `${what}; this is oj ${place.version} (log format ${FORMAT}).`;
  return new Refusal("store.newer", message, "npm install -g oddjobs@latest");
}

/** Connects for writing. Every commit waits for the disk; a SQLite that won't promise that is refused. */
export function connect(place: Place): Database {
  const db = place.driver.open(databaseFile(place));
  try {
    db.exec(
      "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON",
    );
    const { journal_mode: mode } = db.prepare("PRAGMA journal_mode").get() as { journal_mode: string };
    const { synchronous } = db.prepare("PRAGMA synchronous").get() as { synchronous: number };
    if (mode !== "wal" || synchronous !== 2)
      throw storeFailed(
        `SQLite would not wait for the disk (journal_mode ${mode}, synchronous ${synchronous}).`,
      );
    return db;
  } catch (error) {
    forgive(() => db.close());
    throw error;
  }
}

/** Creates an empty log. It appears all at once, so an existing file is never half made. */
export function createDatabase(place: Place): void {
  const fresh = buildDatabase(place, { db: null, after: 0, upTo: 0, runs: [] }, null);
  renameDurably(place.files, fresh, databaseFile(place));
}

/**
 * Writes a database that is to take the place of a damaged one. `finishReplacement` completes it, in another thread:
 * only when this one has ended are its connections surely closed (the package leaves that to the garbage collector),
 * and a connection that closes late deletes the write-ahead log by name, by then that of the new file.
 */
export function replaceDatabase(place: Place, records: Records, damage: Omit<Damage, "kept">): void {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+Z$/g, "");
  const fresh = buildDatabase(place, records, damage);
  renameDurably(place.files, fresh, `${databaseFile(place)}.repaired-${damage.seq}-${stamp}`);
}

/**
 * Moves a damaged log aside and its replacement in. A crash on the way leaves it to the next start. The write-ahead
 * log goes first: it must never meet the new file. Returns the name under which the damaged log is kept.
 */
export function finishReplacement(place: Place): string | null {
  const { files, dir } = place;
  const file = databaseFile(place);
  const prefix = `${path.basename(file)}.repaired-`;
  const repaired = files.list(dir).find((name) => name.startsWith(prefix));
  if (repaired === undefined) return null;
  const kept = `${file}.damaged-${repaired.slice(prefix.length)}`;
  files.remove(`${file}-shm`);
  files.remove(tipFile(place)); // what it said is told as the damage
  if (files.exists(keptWal(place))) {
    renameDurably(files, keptWal(place), `${kept}-wal`); // as it was before SQLite had a look at it
    files.remove(`${file}-wal`);
  }
  for (const suffix of ["-wal", ""])
    if (files.exists(file + suffix)) renameDurably(files, file + suffix, kept + suffix);
  renameDurably(files, path.join(dir, repaired), file);
  return kept;
}

/** The damage that this database was written to replace. */
export function readDamage(db: Database, kept: string): Damage {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'damage'").get() as { value: string };
  return { ...(JSON.parse(row.value) as Omit<Damage, "kept">), kept };
}

/** Does it have our tables? A file of another program may well be a sound database. */
export function hasTables(db: Database): boolean {
  const { n } = db
    .prepare("SELECT count(*) AS n FROM sqlite_master WHERE name IN ('meta', 'events')")
    .get() as { n: number };
  return n === 2 && hasColumns(db);
}

function hasColumns(db: Database): boolean {
  try {
    db.exec("SELECT seq, stream, body, sum FROM events LIMIT 0; SELECT key, value FROM meta LIMIT 0");
    return true;
  } catch (error) {
    if (/no such column/.test(textOf(error))) return false;
    throw error;
  }
}

/** Brings an older log up to date: all or nothing. */
export function upgrade(db: Database, tip: number): void {
  if (hasSeals(db)) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    sealOld(db, readBase(db), tip);
    db.exec(`PRAGMA user_version = ${SEALED}; COMMIT`);
  } catch (error) {
    forgive(() => db.exec("ROLLBACK"));
    throw error;
  }
}

export function writeBase(db: Database, base: number): void {
  db.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('base', '${base}')`);
}

/** Events up to and including this seq are no longer in the log. */
export function readBase(db: Database): number {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'base'").get() as { value: string } | undefined;
  return Number(row?.value);
}

/** Writes a database beside the log. Only `exec` is used: prepared statements would keep the file open. */
export function buildDatabase(
  place: Place,
  records: Records,
  damage: Omit<Damage, "kept"> | null,
  file = `${databaseFile(place)}.new`,
): string {
  const { files } = place;
  for (const suffix of ["", ...companions]) files.remove(file + suffix);
  files.close(files.create(file));
  const isSealed = records.db === null || hasSeals(records.db);
  const db = place.driver.open(file);
  try {
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      BEGIN;
      PRAGMA user_version = ${isSealed ? Math.max(SEALED, formatOf(records.db)) : UNSEALED};
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE events (seq INTEGER PRIMARY KEY, stream TEXT NOT NULL, body TEXT NOT NULL, sum INTEGER NOT NULL);
      ${isSealed ? SEALS : ""}
      INSERT INTO meta (key, value) VALUES ('version', ${quoted(place.version)});
      INSERT INTO meta (key, value) VALUES ('damage', ${quoted(JSON.stringify(damage))});
    `);
    writeBase(db, records.after);
    if (records.db !== null && isSealed) copySeals(records.db, db, records.upTo);
    db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
  const source = records.db;
  if (source !== null) for (const run of records.runs) copyRecords(source, run, file);
  markLost(place, records, file, damage?.what ?? "");
  syncFile(files, file);
  return file;
}

/** Looks up each record by its seq: iterating could run into the damage that follows. */
function copyRecords(db: Database, { after, upTo }: Run, file: string): void {
  db.exec(`
    ATTACH ${quoted(file)} AS fresh;
    PRAGMA fresh.synchronous = FULL;
    WITH RECURSIVE wanted (n) AS (SELECT ${after + 1} UNION ALL SELECT n + 1 FROM wanted WHERE n < ${upTo})
    INSERT INTO fresh.events SELECT e.seq, e.stream, e.body, e.sum FROM wanted CROSS JOIN main.events e ON e.seq = n;
    PRAGMA fresh.wal_checkpoint(TRUNCATE);
    DETACH fresh;
  `);
}

function markLost(place: Place, records: Records, file: string, what: string): void {
  const lost = gapsOf(records);
  if (lost.length === 0) return;
  const db = place.driver.open(file);
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN");
    for (const { after, upTo } of lost)
      for (let seq = after + 1; seq <= upTo; seq += 1) {
        const { stream, body, sum } = lostRecord(seq, 0, what);
        db.exec(`INSERT INTO events VALUES (${seq}, ${quoted(stream)}, ${quoted(body)}, ${sum})`);
      }
    db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

/** What lies between the runs, before the first and after the last. */
export function gapsOf({ after, upTo, runs }: Omit<Records, "db">): Run[] {
  const edges = [after, ...runs.flatMap((it) => [it.after, it.upTo]), upTo];
  const gaps: Run[] = [];
  for (let i = 0; i < edges.length; i += 2) {
    const gap = { after: edges[i] ?? 0, upTo: edges[i + 1] ?? 0 };
    if (gap.upTo > gap.after) gaps.push(gap);
  }
  return gaps;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The version that gave the file its format. `immutable` keeps SQLite from locking it or making files beside it. */
function writerOf(place: Place): string | null {
  try {
    const db = place.driver.open(`${pathToFileURL(databaseFile(place)).href}?immutable=1`, {
      readOnly: true,
    });
    try {
      const row = db.prepare("SELECT value FROM meta WHERE key = 'version'").get() as
        | { value?: unknown }
        | undefined;
      return typeof row?.value === "string" ? row.value : null;
    } finally {
      db.close();
    }
  } catch {
    return null; // its tables may be anything
  }
}
