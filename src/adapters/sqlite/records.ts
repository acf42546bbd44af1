/** The records of the log: their checksum, reading them in order, and finding out what the damage left. */
import { crc32 } from "node:zlib";
import type { Event } from "../../core/model/events.ts";
import { streamOf } from "../../core/model/events.ts";
import type { Cell, Database, Statement } from "./driver.ts";
import { isDamage, textOf } from "./errors.ts";

export interface Row {
  seq: number;
  stream: string;
  body: string;
}

/** The last sound record, and what is wrong with the next one (null: there is none). */
export interface Scan {
  good: number;
  problem: string | null;
}

type Cells = [seq: Cell, stream: Cell, body: Cell, sum: Cell];

const columns = "SELECT seq, stream, body, sum FROM events";
const pageRows = 1000;

/** This many unreadable records in a row count as the end, if SQLite itself can't name the end. */
const missesToGiveUp = 10_000;

export function sumOf(seq: number, stream: string, body: string): number {
  return crc32(`${seq} ${stream} ${body}`);
}

/** Reads on from `after` until the end, a damaged record, or `enough` records; each sound one goes to `each`. */
export function scan(db: Database, after: number, enough: number, each?: (row: Row) => void): Scan {
  const page = prepareArrays(db, `${columns} WHERE seq > ? ORDER BY seq LIMIT ?`);
  let good = after;
  for (let left = enough; left > 0; ) {
    const size = Math.min(left, pageRows);
    let rows: Cells[];
    try {
      rows = page.all(good, size) as Cells[];
    } catch (error) {
      if (!isDamage(error)) throw error;
      return scanSingly(db, good, textOf(error), each);
    }
    for (const row of rows) {
      const problem = problemOf(row, good + 1);
      if (problem !== null) return { good, problem };
      each?.({ seq: good + 1, stream: row[1] as string, body: row[2] as string });
      good += 1;
    }
    if (rows.length < size) break;
    left -= rows.length;
  }
  return { good, problem: null };
}

/** What can still be read beyond a damaged record: how many are sound, and the last seq SQLite knows of. */
export function lookBeyond(db: Database, seq: number): { sound: number; last: number | null } {
  const one = prepareArrays(db, `${columns} WHERE seq = ?`);
  const last = lastSeq(db);
  let sound = 0;
  let misses = 0;
  for (let at = seq + 1; misses < missesToGiveUp && (last === null || at <= last); at += 1) {
    if (readOne(one, at) === null) misses += 1;
    else {
      sound += 1;
      misses = 0;
    }
  }
  return { sound, last };
}

/** The highest seq in the table, null where that can't be read, `none` in an empty one. */
export function lastSeq(db: Database, none = 0): number | null {
  try {
    const { last } = db.prepare("SELECT max(seq) AS last FROM events").get() as { last: number | null };
    return last ?? none;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

/** Are all records of this range there? Counts only; a record's content is checked when it is read. */
export function isComplete(db: Database, after: number, upTo: number): boolean {
  try {
    const count = db.prepare("SELECT count(*) AS n FROM events WHERE seq > ? AND seq <= ?").get(after, upTo);
    return (count as { n: number }).n === upTo - after;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}

/** Sound records without a gap: those after `after`, up to `upTo`. */
export interface Run {
  after: number;
  upTo: number;
}

/** All sound records, as runs, whatever lies between them. */
export function soundRuns(db: Database, after: number): Run[] {
  const one = prepareArrays(db, `${columns} WHERE seq = ?`);
  const last = lastSeq(db);
  const runs: Run[] = [];
  let misses = 0;
  for (let at = after; misses < missesToGiveUp && (last === null || at < last); ) {
    const { good } = scan(db, at, Number.POSITIVE_INFINITY);
    if (good > at) runs.push({ after: at, upTo: good });
    misses = good > at ? 0 : misses;
    for (at = good + 1; misses < missesToGiveUp && (last === null || at < last); at += 1) {
      if (readOne(one, at + 1) !== null) break;
      misses += 1;
    }
  }
  return runs;
}

/** A record in place of one that is lost, so that all others keep their numbers. */
export function lostRecord(seq: number, at_ms: number, what: string): Row & { sum: number } {
  const event: Event = { seq, at_ms, type: "log:lost", id: "log", project: "", what };
  const [stream, body] = [streamOf(event), JSON.stringify(event)];
  return { seq, stream, body, sum: sumOf(seq, stream, body) };
}

/** A page could not be read: its records one by one, up to the one that can't. */
function scanSingly(db: Database, after: number, reason: string, each?: (row: Row) => void): Scan {
  const one = prepareArrays(db, `${columns} WHERE seq = ?`);
  let good = after;
  for (let row = readOne(one, good + 1); row !== null; row = readOne(one, good + 1)) {
    each?.(row);
    good += 1;
  }
  return { good, problem: `it can't be read (${reason})` };
}

function readOne(one: Statement, seq: number): Row | null {
  try {
    const row = one.get(seq) as Cells | undefined;
    if (row === undefined || problemOf(row, seq) !== null) return null;
    return { seq, stream: row[1] as string, body: row[2] as string };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

function problemOf([seq, stream, body, sum]: Cells, expected: number): string | null {
  if (seq !== expected) return `the next record is ${seq}`;
  if (typeof stream !== "string" || typeof body !== "string") return "it is not text";
  if (sum === sumOf(expected, stream, body) || isCutStream(expected, stream, body, sum)) return null;
  return "its checksum is wrong";
}

/** A stream could once contain a NUL, where SQLite cut it off. The body has all of it, so the checksum still proves the record. */
function isCutStream(seq: number, stream: string, body: string, sum: Cell): boolean {
  try {
    const whole = streamOf(JSON.parse(body) as Event);
    return whole.startsWith(`${stream}\0`) && sum === sumOf(seq, whole, body);
  } catch {
    return false; // the body is damaged
  }
}

function prepareArrays(db: Database, sql: string): Statement {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}
