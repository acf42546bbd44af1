/** Erased texts: what is left of events takes their place, and nothing of the rest stays in any file. */
import type { Database } from "./driver.ts";
import { storeFailed } from "./errors.ts";
import { forgive } from "./files.ts";
import type { Place } from "./place.ts";
import { sumOf } from "./records.ts";
import { dropSnapshots } from "./snapshots.ts";

/** In the transaction of the event `by`, which erases them. What was compacted meanwhile is gone anyway. */
export function leaveRemnants(
  db: Database,
  remnants: readonly (readonly [seq: number, body: string])[],
  by: number,
): void {
  const find = db.prepare("SELECT stream FROM events WHERE seq = ?");
  const update = db.prepare("UPDATE events SET body = ?, sum = ? WHERE seq = ?");
  for (const [seq, body] of remnants) {
    const row = find.get(seq) as { stream: string } | undefined;
    if (row !== undefined) update.run(body, sumOf(seq, row.stream, body), seq);
  }
  db.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('erased', '${by}')`);
}

/** The event that erased something last, if it has not been scoured since. */
export function owedScouring(db: Database): number | null {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'erased'").get() as
    | { value: string }
    | undefined;
  return row === undefined ? null : Number(row.value);
}

/**
 * SQLite leaves what it no longer needs in its pages: the file is written anew, without them. So is the write-ahead
 * log. Whoever reads the log now may be in the way: then it stays owed.
 */
export function scourIn(place: Place, db: Database): void {
  const erased = owedScouring(db);
  if (erased === null) return;
  dropSnapshots(place, erased);
  db.exec("VACUUM");
  const { busy } = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
  if (busy !== 0) throw storeFailed("Somebody reads the log: erased texts are still in its write-ahead log.");
  db.exec("DELETE FROM meta WHERE key = 'erased'");
  forgive(() => db.exec("PRAGMA wal_checkpoint(PASSIVE)"));
}
