/** The event log on SQLite, one synchronous call at a time. It blocks while the disk works: keep it in its own thread. */
import type { Knows } from "../../core/rights/writers.ts";
import { most } from "../../core/rights/writers.ts";
import type { Opened } from "../../ports.ts";
import type { MachineKey } from "../audit/key.ts";
import { keyOf } from "../audit/key.ts";
import { checkLog, damagedAt, openLog } from "./check.ts";
import { connect, databaseFile, raiseFormat, readBase, showFormat, writeBase } from "./database.ts";
import type { Database, Statement } from "./driver.ts";
import { leaveRemnants, owedScouring, scourIn } from "./erase.ts";
import { storeDamaged, storeError, storeFailed } from "./errors.ts";
import { forgive } from "./files.ts";
import type { Place } from "./place.ts";
import type { Row } from "./records.ts";
import { lastSeq, lostRecord, scan, sumOf } from "./records.ts";
import type { WriteSeal } from "./seals.ts";
import { lastLink, linkIn, sealsIn, sealsOf, writeBaseLink } from "./seals.ts";
import type { Tip } from "./tip.ts";
import { openTip } from "./tip.ts";

/** The events of one turn, as they are written: record `first + i` has `streams[i]` and `bodies[i]`. */
export type Append = [
  first: number,
  streams: readonly string[],
  bodies: readonly string[],
  /** What a writer has to know after them: an older oj may not write any more. */
  knows?: Knows,
  /** What takes the place of events whose texts they erase: number and text. */
  remnants?: readonly (readonly [seq: number, body: string])[],
];

/** What became of them: written; or the log does not end before `first`; or nothing could be written. */
export type Outcome = "behind" | { error: Error } | null;

/** The bodies of some events, oldest first, and the seq of the last. None is the end. */
export interface Page {
  bodies: string[];
  last: number;
}

/** A store that lost its connection must be given up together with its thread, and another one made. */
export interface Store {
  /** Null: the log was damaged and its replacement is ready; give this store up and open another. */
  open(repair: boolean): Opened | null;
  /** Writes what several callers wait for in one commit. Whoever is behind fails alone. */
  append(requests: readonly Append[]): Outcome[];
  /** Whether the disk took less than half of the time that the last of them took. */
  isCommitCheap(): boolean;
  /**
   * With `ids` only those that have one of them in their text; `last` is the last that was looked at all the same. A record that can't
   * be read ends the page, or is refused where it is the first; to `passOver` it is to say so in its place and read on.
   */
  read(after: number, limit: number, ids?: readonly string[], how?: { passOver: boolean }): Page;
  /** Forgets events up to `seq`, at most `limit` of them. Returns how many went. */
  compact(seq: number, limit: number): number;
  /** The event up to which erased texts may still be on disk somewhere; null: nothing was erased since. */
  owesScouring(): number | null;
  /** Leaves nothing of them in files; there must be a snapshot from after they were erased. */
  scour(): void;
  /** Whether what was acknowledged is also on disk in the second place; `sync` makes sure. */
  isSynced(): boolean;
  sync(): void;
  close(): void;
  isLost(): boolean;
}

/** A connection with what is known about its log. */
interface Open {
  db: Database;
  base: number;
  tip: number;
  /** The link that the next event follows. */
  link: Buffer;
  /** Null if it could not be opened: the log works without it, and damage to its end may go unnoticed. */
  acknowledged: Tip | null;
  begin: Statement;
  insert: Statement;
  seal: WriteSeal;
  commit: Statement;
  /** What a writer has to know, as far as it is recorded since this was opened; and the file's first bytes say so too. */
  knows: Knows;
  isShown: boolean;
  isCommitCheap: boolean;
}

export function openStore(place: Place): Store {
  let open: Open | null = null;
  let lost = false;
  let key: MachineKey | null = null;

  return {
    open: (repair) =>
      translated(() => {
        if (open !== null) return checkLog(place, open.db, repair);
        const checked = openLog(place, repair);
        if (checked === null) return null;
        const { db, opened } = checked;
        open = prepared(db, opened.first - 1, opened.tip, tipAt(opened.tip));
        return opened;
      }),

    append(requests) {
      try {
        const it = connected();
        key ??= keyOf(place.dir);
        const signer = key;
        const outcomes = recovering(it, () => writeGroup(it, requests, signer));
        if (it.knows > 0 && !it.isShown) it.isShown = showFormat(it.db, place);
        return outcomes;
      } catch (error) {
        return requests.map(() => ({ error: storeError(error, place.dir) }));
      }
    },

    isCommitCheap: () => open?.isCommitCheap ?? false,

    read: (after, limit, ids, how) =>
      translated(() => {
        const it = connected();
        const bodies: string[] = [];
        const quoted = ids?.map((id) => JSON.stringify(id));
        const upTo = Math.max(after, it.base) + limit;
        let last = Math.max(after, it.base);
        for (;;) {
          const { good, problem } = scan(it.db, last, upTo - last, ({ body }) => {
            if (!quoted || quoted.some((id) => body.includes(id))) bodies.push(body);
          });
          if (problem !== null && !how?.passOver && good === Math.max(after, it.base))
            throw damagedAt(place, it.db, { good, problem });
          if (problem === null || !how?.passOver || good >= it.tip) return { bodies, last: good };
          last = good + 1;
          bodies.push(lostRecord(last, 0, problem).body);
        }
      }),

    compact: (seq, limit) =>
      translated(() => {
        const it = connected();
        const base = Math.min(Math.floor(seq), it.tip, it.base + limit); // a log that begins between two events can't be read
        if (base <= it.base) return 0;
        const went = base - it.base;
        recovering(it, () => forget(it, base));
        it.base = base;
        return went;
      }),

    scour: () =>
      translated(() => {
        const it = connected();
        scourIn(place, it.db);
        it.isShown = false;
      }),
    owesScouring: () => translated(() => owedScouring(connected().db)),

    isSynced: () => open?.acknowledged?.isSynced() ?? true,
    sync: () => open?.acknowledged?.sync(),

    close() {
      if (open === null) return;
      forgive(() => open?.db.exec("PRAGMA wal_checkpoint(TRUNCATE)")); // a full disk leaves it to the next start
      giveUp(open);
    },

    isLost: () => lost,
  };

  /** The connection, made with the first call if this store took over from one that was lost. */
  function connected(): Open {
    if (lost) throw storeFailed("The event log is closed.");
    if (open !== null) return open;
    if (!place.files.exists(databaseFile(place))) throw storeFailed(`${databaseFile(place)} is gone.`);
    const db = connect(place);
    try {
      const base = readBase(db);
      const tip = tipOf(db, base);
      open = prepared(db, base, tip, tipAt(tip));
      return open;
    } catch (error) {
      forgive(() => db.close());
      throw error;
    }
  }

  /** Runs a write. If it fails, the log is as it was before and stays usable. */
  function recovering<T>(it: Open, write: () => T): T {
    try {
      return write();
    } catch (error) {
      try {
        if (it.db.isTransaction) it.db.exec("ROLLBACK");
        it.base = readBase(it.db);
        it.tip = tipOf(it.db, it.base);
        it.link = lastLink(it.db);
      } catch {
        giveUp(it);
      }
      throw error;
    }
  }

  function giveUp(it: Open): void {
    open = null;
    lost = true;
    it.acknowledged?.close();
    forgive(() => it.db.close());
  }

  function tipAt(seq: number): Tip | null {
    let tip: Tip | null = null;
    forgive(() => (tip = openTip(place, seq))); // a full disk: reading still works
    return tip;
  }

  function tipOf(db: Database, base: number): number {
    const tip = lastSeq(db, base);
    if (tip === null) throw storeDamaged(`${databaseFile(place)} is damaged: its last record can't be read.`);
    return tip;
  }

  function translated<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeError(error, place.dir);
    }
  }
}

function prepared(db: Database, base: number, tip: number, acknowledged: Tip | null): Open {
  return {
    db,
    base,
    tip,
    link: lastLink(db),
    acknowledged,
    begin: db.prepare("BEGIN IMMEDIATE"),
    insert: db.prepare("INSERT INTO events (seq, stream, body, sum) VALUES (?, ?, ?, ?)"),
    seal: sealsIn(db),
    commit: db.prepare("COMMIT"),
    knows: 0,
    isShown: false,
    isCommitCheap: false,
  };
}

function writeGroup(it: Open, requests: readonly Append[], key: MachineKey): Outcome[] {
  const from = performance.now();
  let tip = it.tip;
  const written: Row[] = [];
  let knows = it.knows;
  it.begin.run();
  const outcomes = requests.map((request) => {
    const [first, streams, bodies, needs = 0, remnants = []] = request;
    if (first !== tip + 1) return "behind";
    knows = most([knows, needs]);
    bodies.forEach((body, i) => {
      const stream = streams[i] ?? "";
      tip += 1;
      it.insert.run(tip, stream, body, sumOf(tip, stream, body));
      written.push({ seq: tip, stream, body });
    });
    if (remnants.length > 0) leaveRemnants(it.db, remnants, tip);
    return null;
  });
  const link = it.seal(it.link, written, key);
  if (knows > it.knows) raiseFormat(it.db, knows);
  const ready = performance.now();
  it.commit.run();
  it.isCommitCheap = performance.now() - ready < ready - from;
  if (knows > it.knows) it.isShown = false;
  it.knows = knows;
  it.tip = tip;
  it.link = link;
  forgive(() => it.acknowledged?.write(tip)); // being behind does no harm: it only says less
  return outcomes;
}

function forget(it: Open, base: number): void {
  it.begin.run();
  const [seal] = sealsOf(it.db, base, base);
  const link = seal === undefined ? null : linkIn(seal, base);
  if (link !== null) writeBaseLink(it.db, link);
  it.db.prepare("DELETE FROM seals WHERE last <= ?").run(base);
  it.db.prepare("DELETE FROM events WHERE seq <= ?").run(base);
  writeBase(it.db, base);
  it.commit.run();
}
