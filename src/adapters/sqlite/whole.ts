/** The log of a state folder as a whole: read beside its daemon, or filled where there is none. */
import type { Entry, StoreStatus, Verified, Whole, WholeStore } from "../../store-ports.ts";
import { absent, inUse } from "../../store-ports.ts";
import { isRemnant } from "../audit/erased.ts";
import { readKey } from "../audit/key.ts";
import { damagedAt } from "./check.ts";
import {
  brokenHeader,
  databaseFile,
  hasErased,
  hasRemoved,
  hasTables,
  readBase,
  refuseNewer,
} from "./database.ts";
import type { Database } from "./driver.ts";
import { loadDriver } from "./driver.ts";
import { isDamage, storeDamaged, storeError, textOf } from "./errors.ts";
import { evidenceIn } from "./evidence.ts";
import { forgive, realFiles } from "./files.ts";
import { fillFolder, refuseStore } from "./fill.ts";
import { takeLock } from "./lock.ts";
import type { Place } from "./place.ts";
import type { Row } from "./records.ts";
import { lastSeq, scan } from "./records.ts";
import { hasSeals, linkIn, readBaseLink, sealsOf } from "./seals.ts";
import { listSnapshots, newestSnapshot } from "./snapshots.ts";
import { readTip } from "./tip.ts";

const PAGE = 1000;

export async function sqliteStore(dir: string, version: string, files = realFiles): Promise<WholeStore> {
  const place: Place = { dir, version, driver: await loadDriver(), files };

  async function read<T>(work: (whole: Whole) => Promise<T>): Promise<T> {
    if (!place.files.exists(databaseFile(place))) throw absent(dir);
    return reading(place, databaseFile(place), work);
  }

  return {
    kind: "sqlite",
    shown: dir,
    async read({ alone }, work) {
      if (!alone) return read(work);
      if (!place.files.exists(databaseFile(place))) throw absent(dir); // before the lock makes a file there
      const lock = await locked(dir);
      try {
        return await read(work);
      } finally {
        await lock.release();
      }
    },
    async fill(whole, check) {
      refuseStore(place);
      const lock = await locked(dir);
      try {
        refuseStore(place);
        await fillFolder(place, whole, (file) => reading(place, file, check));
      } catch (error) {
        throw storeError(error, dir);
      } finally {
        await lock.release();
      }
    },
    async status() {
      const file = databaseFile(place);
      const none: StoreStatus = {
        kind: "sqlite",
        at: dir,
        exists: place.files.exists(file),
        tip: 0,
        first: 0,
        snapshot: null,
        bytes: 0,
        machines: [],
      };
      if (!none.exists) return none;
      const wal = `${file}-wal`;
      const bytes = place.files.size(file) + (place.files.exists(wal) ? place.files.size(wal) : 0);
      return reading(place, file, async ({ base, tip, snapshot }) => ({
        ...none,
        tip,
        first: tip > base ? base + 1 : 0,
        snapshot: snapshot?.seq ?? null,
        bytes,
      }));
    },
    async verify() {
      if (!place.files.exists(databaseFile(place))) throw absent(dir);
      return looking(place, databaseFile(place), (db, acknowledged) => verifyIn(place, db, acknowledged));
    },
    async testify(work) {
      if (!place.files.exists(databaseFile(place))) throw absent(dir);
      return looking(place, databaseFile(place), (db, acknowledged) =>
        work(evidenceIn(db, acknowledged, readKey(dir))),
      );
    },
  };
}

async function locked(dir: string) {
  try {
    return await takeLock(dir);
  } catch (error) {
    throw (error as { code?: unknown }).code === "daemon.already-running" ? inUse(dir) : error;
  }
}

/** Looks at the log of this moment: what is written meanwhile is not in it. */
async function looking<T>(
  place: Place,
  file: string,
  work: (db: Database, acknowledged: number) => Promise<T>,
): Promise<T> {
  const isOurs = file === databaseFile(place);
  if (isOurs) refuseNewer(place);
  const broken = isOurs ? brokenHeader(place) : null;
  if (broken !== null) throw storeDamaged(`${file} can't be used: ${broken}.`);
  const acknowledged = isOurs ? (readTip(place) ?? 0) : 0; // before we look: the log may only be longer
  let db: Database | null = null;
  try {
    db = place.driver.open(file, { readOnly: true });
    db.exec("PRAGMA busy_timeout = 5000; BEGIN");
    if (!hasTables(db)) throw storeDamaged(`${file} can't be used: it is a database, but not one of ours.`);
    return await work(db, acknowledged);
  } catch (error) {
    if (isDamage(error)) throw storeDamaged(`${file} can't be used: ${textOf(error)}.`);
    throw storeError(error, place.dir);
  } finally {
    forgive(() => db?.exec("ROLLBACK")); // the package closes it whenever it likes, and until then it is in the way
    db?.close();
  }
}

function reading<T>(place: Place, file: string, work: (whole: Whole) => Promise<T>): Promise<T> {
  return looking(place, file, (db, acknowledged) => work(wholeIn(place, db, acknowledged)));
}

function wholeIn(place: Place, db: Database, acknowledged: number): Whole {
  const { base, tip, snapshot, skipped } = limitsOf(place, db);
  if (tip === null) throw storeDamaged(`${databaseFile(place)} is damaged: its last record can't be read.`);
  if (snapshot === null && base > 0) throw storeDamaged([compacted(base), ...skipped].join(" "));
  return {
    base,
    base_chain: hasSeals(db) ? readBaseLink(db) : null,
    tip,
    erased: hasErased(db),
    removed: hasRemoved(db),
    snapshot,
    async *pages() {
      for (let at = base; at < tip; ) {
        const page: Entry[] = [];
        const found = scan(db, at, PAGE, (row) => page.push(isRemnant(row.body) ? withLink(db, row) : row));
        if (page.length > 0) yield page;
        if (found.problem !== null) throw damagedAt(place, db, found);
        if (found.good === at) throw damagedAt(place, db, { ...found, problem: "it is missing" });
        at = found.good;
      }
      if (tip < acknowledged) throw damagedAt(place, db, { good: tip, problem: CUT_OFF });
    },
  };
}

/**
 * Where the log begins and ends, and the snapshot for that. Snapshots are files beside it: a daemon may make a newer one
 * and remove one that would fit while we look. Then we look at the log as it is by now.
 */
function limitsOf(place: Place, db: Database) {
  for (let looks = 1; ; looks++) {
    const base = readBase(db);
    const tip = lastSeq(db, base);
    const found = newestSnapshot(place, base, tip ?? Number.POSITIVE_INFINITY);
    const isAhead = tip !== null && (listSnapshots(place)[0] ?? 0) > tip;
    if (!isAhead || looks === MOST_LOOKS) return { base, tip, ...found };
    db.exec("ROLLBACK; BEGIN");
  }
}

const MOST_LOOKS = 5;

/** Its link proves what it was before its texts were erased, and can't be made again. */
function withLink(db: Database, row: Row): Entry {
  const [seal] = sealsOf(db, row.seq, row.seq);
  const link = seal === undefined ? null : linkIn(seal, row.seq);
  return link === null ? row : { ...row, link: Buffer.from(link) };
}

const CUT_OFF = "it was acknowledged, but the log ends before it";
const compacted = (base: number) => `No intact snapshot has the events up to ${base}, which were compacted.`;

async function verifyIn(place: Place, db: Database, acknowledged: number): Promise<Verified> {
  const { base, tip, snapshot, skipped } = limitsOf(place, db);
  const { good, problem } = scan(db, base, Number.POSITIVE_INFINITY);
  const what = problem ?? (good < acknowledged ? CUT_OFF : null);
  const warnings = base > 0 && snapshot === null ? [...skipped, compacted(base)] : skipped;
  return {
    events: good - base,
    tip: Math.max(good, acknowledged, tip ?? 0),
    problem: what === null ? null : { seq: good + 1, what },
    warnings,
  };
}
