/** Makes a snapshot: folds the log into the state of one moment. Reads the log beside its writer, never changes it. */
import type { Event } from "../../core/model/events.ts";
import { apply, emptyState } from "../../core/model/state/state.ts";
import { decodeState, stateLines } from "../../core/model/state/state-text.ts";
import type { Damage } from "../../ports.ts";
import { damageBelow, damagedAt } from "./check.ts";
import { databaseFile, readBase } from "./database.ts";
import type { Database } from "./driver.ts";
import { storeDamaged, storeError } from "./errors.ts";
import type { Place } from "./place.ts";
import { lastSeq, scan } from "./records.ts";
import { newestSnapshot, writeSnapshot } from "./snapshots.ts";

/** Folds up to `seq` (or the last event) from where the newest sound snapshot ends. Returns what snapshots now cover. */
export function foldLog(place: Place, seq: number): number {
  return reading(place, (db) => foldFrom(place, db, seq));
}

/** Reads every record behind the newest snapshot. The state needs none of them, so nothing else would ever notice damage. */
export function verifyLog(place: Place): Damage | null {
  return reading(place, (db) => {
    const base = readBase(db);
    const { snapshot } = newestSnapshot(place, base, lastSeq(db, base) ?? Number.POSITIVE_INFINITY);
    return snapshot === null ? null : damageBelow(place, db, base, snapshot);
  });
}

function reading<T>(place: Place, work: (db: Database) => T): T {
  try {
    const db = place.driver.open(databaseFile(place), { readOnly: true });
    try {
      db.exec("PRAGMA busy_timeout = 5000");
      return work(db);
    } finally {
      db.close();
    }
  } catch (error) {
    throw storeError(error, place.dir);
  }
}

function foldFrom(place: Place, db: Database, seq: number): number {
  const base = readBase(db);
  const tip = lastSeq(db, base) ?? 0;
  const upTo = Math.min(seq, tip);
  const { snapshot } = newestSnapshot(place, base, tip);
  const from = snapshot?.seq ?? 0;
  if (from >= upTo) return from;
  if (from < base)
    throw storeDamaged(`No intact snapshot has the events up to ${base}, which were compacted.`);
  const state = snapshot === null ? emptyState() : decodeState(snapshot.state);
  const found = scan(db, from, upTo - from, (row) => apply(state, JSON.parse(row.body) as Event));
  if (found.good < upTo) throw damagedAt(place, db, found);
  writeSnapshot(place, upTo, stateLines(state));
  return upTo;
}
