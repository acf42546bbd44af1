/** Opening a log: what is sound goes on, what is not is refused or set aside, and nothing is dropped without a word. */
import type { Refusal } from "../core/errors.ts";
import type { Damage, Opened } from "../daemon/ports.ts";
import type { Place } from "./sqlite-database.ts";
import {
  brokenHeader,
  connect,
  createDatabase,
  databaseFile,
  finishReplacement,
  hasTables,
  newerRefusal,
  readBase,
  readDamage,
  refuseNewer,
  replaceDatabase,
} from "./sqlite-database.ts";
import type { Database } from "./sqlite-driver.ts";
import { isDamage, storeDamaged, textOf } from "./sqlite-errors.ts";
import { forgive } from "./sqlite-files.ts";
import type { Scan } from "./sqlite-records.ts";
import { isComplete, lastSeq, lookBeyond, scan, soundFrom } from "./sqlite-records.ts";
import type { Snapshot } from "./sqlite-snapshots.ts";
import { listSnapshots, newestSnapshot, setAsideSnapshots } from "./sqlite-snapshots.ts";

export interface Checked {
  db: Database;
  opened: Opened;
}

const tailRecords = 1000;
const noLimit = Number.POSITIVE_INFINITY;

/**
 * Finds or makes the log of this place, connects to it, and checks everything that the state will be made from. Null:
 * a replacement was written. It takes its place when another thread opens the log (why: see `replaceDatabase`).
 */
export function openLog(place: Place, repair: boolean): Checked | null {
  place.files.makeDir(place.dir);
  refuseNewer(place);
  const replaced = finishReplacement(place);
  if (isNew(place)) createDatabase(place);
  const db = connectSoundly(place);
  if (typeof db === "string") return startOver(place, repair, db);
  try {
    const opened = checkLog(place, db, repair);
    if (opened !== null)
      return { db, opened: replaced === null ? opened : { ...opened, damage: readDamage(db, replaced) } };
    db.close();
    return null;
  } catch (error) {
    forgive(() => db.close());
    throw error;
  }
}

/** The newest sound snapshot and every record after it. Null when the log had to be replaced. */
export function checkLog(place: Place, db: Database, repair: boolean): Opened | null {
  const base = readBase(db);
  const { snapshot, skipped, newer } = newestSnapshot(place, base, lastSeq(db, base) ?? noLimit);
  if (snapshot === null && base > 0) {
    if (newer !== null)
      throw newerRefusal(place, `The snapshots in ${place.dir} were written by oj ${newer}`);
    const lost = `events 1 to ${base} were compacted, and no sound snapshot has them. ${skipped.join(" ")}`;
    return startOver(place, repair, lost.trim());
  }
  const found = inspect(db, base, snapshot?.seq ?? base, repair);
  if (found.problem !== null) return cutOff(place, db, { repair, base, found });
  if (skipped.length > 0) setAsideSnapshots(place, snapshot?.seq ?? 0);
  const damage = snapshot === null ? null : damageBelow(place, db, base, snapshot);
  return { snapshot, skipped, damage, tip: found.good, first: base + 1 };
}

/**
 * Are all records there, and the last ones sound? That is where a crash or a full disk leaves its traces; the content
 * of each other record is checked when it is read, once, on its way into the state. Any doubt, and all are read here.
 */
function inspect(db: Database, base: number, from: number, thoroughly: boolean): Scan {
  const last = lastSeq(db, base);
  if (!thoroughly && last !== null && isComplete(db, base, last)) {
    const tail = scan(db, Math.max(from, last - tailRecords), noLimit);
    if (tail.problem === null) return tail;
  }
  return scan(db, from, noLimit);
}

/** Goes on with the sound records before a damaged one. Sound records after it are only given up when asked to. */
function cutOff(
  place: Place,
  db: Database,
  { repair, base, found }: { repair: boolean; base: number; found: Scan },
): null {
  const seq = found.good + 1;
  const what = found.problem ?? "it is missing";
  const { sound, last } = lookBeyond(db, seq);
  if (sound > 0 && !repair) throw damagedAt(place, db, found);
  if (found.good === 0) return startOver(place, repair, `not one record can be read; the first: ${what}`);
  const records = { db, after: soundFrom(db, base, found.good), upTo: found.good };
  replaceDatabase(place, records, { seq, what, records: last === null ? null : last - found.good });
  return null;
}

/** The refusal for a damaged record that others depend on. */
export function damagedAt(place: Place, db: Database, { good, problem }: Scan): Refusal {
  const { sound } = lookBeyond(db, good + 1);
  const where = `${databaseFile(place)} is damaged at record ${good + 1}: ${problem ?? "it is missing"}`;
  return storeDamaged(`${where}. ${sound} sound records come after it.`, {
    seq: good + 1,
    sound_after: sound,
  });
}

/** Nothing of the log itself can be used. With `repair` the newest sound snapshot is all there is. */
function startOver(place: Place, repair: boolean, what: string): null {
  const file = databaseFile(place);
  if (!repair) throw storeDamaged(`${file} can't be used: ${what}.`);
  const base = newestSnapshot(place, 0, noLimit).snapshot?.seq ?? 0;
  const damage = { seq: base + 1, what: `the file could not be used: ${what}`, records: null };
  replaceDatabase(place, { db: null, after: base, upTo: base }, damage);
  return null;
}

/** Damage that the snapshot makes harmless: the state doesn't need these records, so the log goes on as it is. */
function damageBelow(place: Place, db: Database, base: number, { seq }: Snapshot): Damage | null {
  if (isComplete(db, base, seq)) return null;
  const { good, problem } = scan(db, base, seq - base);
  const what = `${problem ?? "it is missing"} (the snapshot of ${seq} stands in)`;
  return { seq: good + 1, what, records: null, kept: databaseFile(place) };
}

/** No log, and nothing that says there was one. */
function isNew(place: Place): boolean {
  const file = databaseFile(place);
  const traces = place.files.exists(file) || place.files.exists(`${file}-wal`);
  return !traces && listSnapshots(place).length === 0;
}

/** The connection, or why there can't be one. */
function connectSoundly(place: Place): Database | string {
  if (!place.files.exists(databaseFile(place)))
    return "it is missing, but what was written beside it is there";
  const broken = brokenHeader(place);
  if (broken !== null) return broken;
  let db: Database | null = null;
  try {
    db = connect(place);
    if (hasTables(db) && Number.isSafeInteger(readBase(db))) return db;
    db.close();
    return "it is a database, but not one of ours";
  } catch (error) {
    forgive(() => db?.close());
    if (!isDamage(error)) throw error;
    return textOf(error);
  }
}
