/** Opening a log: what is sound is used, what is not is refused or set aside, and nothing is dropped silently. */
import type { Refusal } from "../../core/model/errors.ts";
import type { Damage, Opened } from "../../ports.ts";
import {
  brokenHeader,
  connect,
  createDatabase,
  databaseFile,
  finishReplacement,
  gapsOf,
  hasTables,
  newerRefusal,
  readBase,
  readDamage,
  refuseNewer,
  replaceDatabase,
  upgrade,
} from "./database.ts";
import type { Database } from "./driver.ts";
import { isDamage, storeDamaged, textOf } from "./errors.ts";
import { forgive } from "./files.ts";
import type { Place } from "./place.ts";
import type { Scan } from "./records.ts";
import { isComplete, lastSeq, lookBeyond, scan, soundRuns } from "./records.ts";
import type { Snapshot } from "./snapshots.ts";
import { listSnapshots, newestSnapshot, setAsideSnapshots } from "./snapshots.ts";
import { dropWal, keepWal, readTip } from "./tip.ts";

export interface Checked {
  db: Database;
  opened: Opened;
}

const tailRecords = 1000;

/** At startup this many records behind a snapshot are read; more of them while the daemon runs. */
const readAtOnce = 10_000;
const noLimit = Number.POSITIVE_INFINITY;

/**
 * Finds or creates the log in this folder, connects to it, and checks everything that the state will be built from. Null: a replacement
 * was written. It takes its place when another thread opens the log (why: see `replaceDatabase`).
 */
export function openLog(place: Place, repair: boolean): Checked | null {
  place.files.makeDir(place.dir);
  refuseNewer(place);
  const replaced = finishReplacement(place);
  if (isNew(place)) createDatabase(place);
  else keepWal(place);
  const db = connectSoundly(place);
  if (typeof db === "string") return startOver(place, repair, db);
  try {
    const opened = checkLog(place, db, repair);
    if (opened !== null) {
      upgrade(db, opened.tip);
      dropWal(place);
      return { db, opened: replaced === null ? opened : { ...opened, damage: readDamage(db, replaced) } };
    }
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
    const lost = `events 1 to ${base} were compacted, and no intact snapshot has them. ${skipped.join(" ")}`;
    return startOver(place, repair, lost.trim());
  }
  // a repair also takes out what a snapshot covers: backups, copies and exports need every record
  const found = inspect(db, base, repair ? base : (snapshot?.seq ?? base), repair);
  if (found.problem !== null) return cutOff(place, db, { repair, base, found });
  if ((readTip(place) ?? 0) > found.good) return lostEnd(place, db, { repair, base, good: found.good });
  if (skipped.length > 0) setAsideSnapshots(place, snapshot?.seq ?? 0);
  const damage = snapshot === null ? null : noticedBelow(place, db, base, snapshot);
  return { snapshot, skipped, damage, tip: found.good, first: base + 1, machine: null };
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

/**
 * Continues without a damaged record. If sound ones follow, only on request: what they say may rest on it. They all stay, and a mark takes
 * the place of the lost one.
 */
function cutOff(
  place: Place,
  db: Database,
  { repair, base, found }: { repair: boolean; base: number; found: Scan },
): null {
  const what = found.problem ?? "it is missing";
  const { sound, last } = lookBeyond(db, found.good + 1);
  if (sound > 0 && !repair) throw damagedAt(place, db, found);
  return keepSound(place, db, { base, last, what, repair });
}

/**
 * The log is sound but ends too early: the rest was in a part of the write-ahead log that SQLite could not read, or in a page of its own.
 */
function lostEnd(
  place: Place,
  db: Database,
  { repair, base, good }: { repair: boolean; base: number; good: number },
): null {
  const acknowledged = readTip(place) ?? good;
  const missing = acknowledged - good;
  const what = `${missing === 1 ? "it was" : `${missing} events were`} acknowledged, but the log ends before that`;
  if (!repair)
    throw storeDamaged(`${databaseFile(place)} is damaged at record ${good + 1}: ${what}.`, {
      seq: good + 1,
      missing,
    });
  return keepSound(place, db, { base, last: acknowledged, what, repair });
}

/** A new log with every sound record. A snapshot that reaches further than they do keeps its place. */
function keepSound(
  place: Place,
  db: Database,
  { base, last, what, repair }: { base: number; last: number | null; what: string; repair: boolean },
): null {
  const runs = soundRuns(db, base);
  const good = runs.at(-1)?.upTo ?? 0;
  const covered = newestSnapshot(place, base, noLimit).snapshot?.seq ?? 0;
  if (good === 0 && covered === 0)
    return startOver(place, repair, `no record can be read; the first: ${what}`);
  const upTo = Math.max(good, covered, base);
  const [gap] = gapsOf({ after: base, upTo, runs });
  const seq = (gap?.after ?? upTo) + 1;
  const known = Math.max(last ?? 0, readTip(place) ?? 0, upTo);
  const kept = runs.reduce((sum, it) => sum + it.upTo - it.after, 0);
  replaceDatabase(
    place,
    { db, after: base, upTo, runs },
    { seq, what, records: last === null ? null : known - base - kept },
  );
  return null;
}

/** The refusal for a damaged record that others depend on. */
export function damagedAt(place: Place, db: Database, { good, problem }: Scan): Refusal {
  const { sound } = lookBeyond(db, good + 1);
  const where = `${databaseFile(place)} is damaged at record ${good + 1}: ${problem ?? "it is missing"}`;
  return storeDamaged(`${where}. ${sound} intact records come after it.`, {
    seq: good + 1,
    sound_after: sound,
  });
}

/** Nothing in the log itself can be used. With `repair`, the newest sound snapshot is all there is. */
function startOver(place: Place, repair: boolean, what: string): null {
  const file = databaseFile(place);
  if (!repair) throw storeDamaged(`${file} can't be used: ${what}.`);
  const base = newestSnapshot(place, 0, noLimit).snapshot?.seq ?? 0;
  const damage = { seq: base + 1, what: `the file could not be used: ${what}`, records: null };
  replaceDatabase(place, { db: null, after: base, upTo: base, runs: [] }, damage);
  return null;
}

/** What can be said at once: whether all are there, and for a small log whether each is sound. `verifyLog` reads the others later. */
function noticedBelow(place: Place, db: Database, base: number, snapshot: Snapshot): Damage | null {
  const isSmall = snapshot.seq - base <= readAtOnce;
  return !isSmall && isComplete(db, base, snapshot.seq) ? null : damageBelow(place, db, base, snapshot);
}

/**
 * Damage that the snapshot makes harmless: the state doesn't need these records, so the log stays as it is. The daemon
 * may compact them while they are read, one page in a moment of its own: those that it removed are no damage.
 */
export function damageBelow(place: Place, db: Database, base: number, { seq }: Snapshot): Damage | null {
  for (let after = base; ; ) {
    const { good, problem } = scan(db, after, seq - after);
    if (good === seq) return null;
    const gone = Math.min(seq, readBase(db));
    if (gone > good) {
      after = gone;
      continue;
    }
    const what = `${problem ?? "it is missing"} (the snapshot of ${seq} is used instead)`;
    return { seq: good + 1, what, records: null, kept: databaseFile(place) };
  }
}

/** No log, and nothing that says there was one. */
function isNew(place: Place): boolean {
  const file = databaseFile(place);
  const traces = place.files.exists(file) || place.files.exists(`${file}-wal`) || (readTip(place) ?? 0) > 0;
  return !traces && listSnapshots(place).length === 0;
}

/** The connection, or why there can't be one. */
function connectSoundly(place: Place): Database | string {
  if (!place.files.exists(databaseFile(place))) return "it is missing, but the files beside it are there";
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
