/** Fills a state folder with a whole log, all at once: until the last rename there is no `events.db`. */
import path from "node:path";
import { most, textKnows } from "../../core/rights/writers.ts";
import type { Whole } from "../../store-ports.ts";
import { notEmpty } from "../../store-ports.ts";
import { GENESIS } from "../audit/chain.ts";
import { buildDatabase, databaseFile, hasTables, raiseFormat, readBase } from "./database.ts";
import { forgive, renameDurably, syncFile } from "./files.ts";
import type { Place } from "./place.ts";
import { lastSeq, sumOf } from "./records.ts";
import { sealsIn, writeBaseLink } from "./seals.ts";
import { listSnapshots, writeSnapshot } from "./snapshots.ts";
import { readTip, tipFile } from "./tip.ts";

/** The log that is being written. If it is there without `events.db`, whoever wrote it was interrupted. */
const unfinished = (place: Place) => `${databaseFile(place)}.filling`;

/** A log without events is no store yet: a daemon may have made it and never written. */
export function refuseStore(place: Place): void {
  const { files, dir } = place;
  if (!files.exists(dir)) return;
  const interrupted = files.exists(unfinished(place)) && !files.exists(databaseFile(place));
  const holds = (readTip(place) ?? 0) > 0 || (listSnapshots(place).length > 0 && !interrupted);
  if (holds || hasEvents(place)) throw notEmpty(dir);
}

function hasEvents(place: Place): boolean {
  const file = databaseFile(place);
  if (!place.files.exists(file)) return place.files.exists(`${file}-wal`);
  try {
    const db = place.driver.open(file, { readOnly: true });
    try {
      return !hasTables(db) || readBase(db) !== 0 || lastSeq(db) !== 0;
    } finally {
      db.close();
    }
  } catch {
    return true; // whatever it is, it is not ours to replace
  }
}

/** `check` gets the file before it counts. The caller holds the folder's lock. */
export async function fillFolder(
  place: Place,
  whole: Whole,
  check: (file: string) => Promise<void>,
): Promise<void> {
  const { files, dir } = place;
  const file = databaseFile(place);
  const fresh = unfinished(place);
  // an empty log, and what a fill that was interrupted has left
  for (const old of ["-wal", "-shm", ""].map((it) => file + it).concat(tipFile(place))) files.remove(old);
  for (const seq of listSnapshots(place)) files.remove(path.join(dir, `snapshot-${seq}.json`));
  buildDatabase(place, { db: null, after: whole.base, upTo: whole.base, runs: [] }, null, fresh);
  try {
    await insert(place, fresh, whole);
    syncFile(files, fresh);
    if (whole.snapshot !== null) writeSnapshot(place, whole.snapshot.seq, whole.snapshot.state.split("\n"));
    await check(fresh);
  } catch (error) {
    if (whole.snapshot !== null)
      forgive(() => files.remove(path.join(dir, `snapshot-${whole.snapshot?.seq}.json`)));
    forgive(() => files.remove(fresh));
    throw error;
  }
  renameDurably(files, fresh, file);
}

/** Without a journal: a file that was not finished is never used. */
async function insert(place: Place, file: string, whole: Whole): Promise<void> {
  const db = place.driver.open(file);
  try {
    db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    const row = db.prepare("INSERT INTO events (seq, stream, body, sum) VALUES (?, ?, ?, ?)");
    const writeSeal = sealsIn(db);
    let link = whole.base_chain ?? GENESIS;
    writeBaseLink(db, link);
    let knows = textKnows(whole.snapshot?.state ?? "");
    for await (const page of whole.pages()) {
      knows = most([knows, ...page.map((it) => textKnows(it.body))]);
      for (const { seq, stream, body } of page) row.run(seq, stream, body, sumOf(seq, stream, body));
      link = writeSeal(link, page, null); // whoever signed them has no place here
    }
    if (knows > 0) raiseFormat(db, knows);
    db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}
