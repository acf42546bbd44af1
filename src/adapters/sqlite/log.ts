/** The port `Log` on SQLite. Every file access happens in other threads, so the daemon's loop never waits for a disk. */
import type { Event } from "../../core/model/events.ts";
import { streamOf } from "../../core/model/events.ts";
import { allKnow } from "../../core/rights/writers.ts";
import { mendText } from "../../core/text/safe-text.ts";
import type { Log, Opened } from "../../ports.ts";
import { Behind } from "../../ports.ts";
import { remnantsToLeave } from "../audit/remnants.ts";
import { bodyOf, eventOf } from "../audit/salted.ts";
import type { Page } from "./store.ts";
import { snapshotThread, storeThread } from "./thread.ts";

export interface SqliteLogInput {
  /** The state folder. Only one process may use it at a time: `takeLock` sees to that. */
  dir: string;
  /** The version of oj, recorded with what it writes. */
  version: string;
  /** The bundles of `adapters/sqlite/worker.ts` and `adapters/sqlite/snapshot-worker.ts`. */
  workers: { store: string; snapshot: string };
}

/** Events per message, so that appends never wait long behind a reader. */
const pageEvents = 500;

/** Events per compacting commit, for the same reason. */
const compactEvents = 2000;

export function sqliteLog({ dir, version, workers }: SqliteLogInput): Log {
  const store = storeThread(workers.store, { dir, version });
  let covered = 0;
  /** The last event that is written, and the last that was decided: later turns may be on their way to the disk. */
  let written = 0;
  let tip = 0;
  let snapshots: Promise<unknown> = Promise.resolve();
  const remnants = remnantsToLeave();

  return {
    async open({ repair = false } = {}) {
      let opened = (await store.call("open", repair)) as Opened | null;
      if (opened === null) {
        await store.stop();
        opened = (await store.call("open", false)) as Opened;
      }
      covered = opened.snapshot?.seq ?? 0;
      written = opened.tip;
      tip = opened.tip;
      return opened;
    },

    read: (after, limit) => readAll(after, limit, false),
    look: (after, limit) => readAll(after, limit, true),

    async verify() {
      if (covered === 0) return null; // without a snapshot, the state was made from all of them
      const reply = await snapshotThread(workers.snapshot, { dir, version, seq: null });
      return typeof reply === "number" ? null : reply.damage;
    },

    async find(after, limit, ids) {
      const { bodies, last } = (await store.call("read", after, limit, ids, { passOver: true })) as Page;
      const events = bodies.map(eventOf);
      return { events, last: last < after + limit ? null : last };
    },

    async turn(after, decide) {
      const news: Event[] = [];
      tip = Math.max(tip, after); // the thread may have written what it could not say any more
      for (let seen = after; seen < tip; seen = news.at(-1)?.seq ?? tip)
        news.push(...(await readAll(seen, pageEvents, false)));
      if (news.length !== tip - after) throw new Behind(); // some of it was compacted
      const events = decide(news, null);
      if (events.length === 0) return;
      const first = tip + 1;
      tip += events.length;
      try {
        await append(first, events);
        written = Math.max(written, first + events.length - 1);
      } catch (error) {
        tip = written; // whatever was decided on top of it fails too
        throw error;
      }
    },

    follow: () => () => {}, // nobody else writes here
    machines: async () => [],
    banish: async () => {},

    snapshot,

    leaving: remnants.add,

    async scour() {
      const upTo = (await store.call("owes")) as number | null;
      if (upTo === null) return;
      await snapshot(tip);
      await store.call("scour");
    },

    async compact(seq) {
      const upTo = Math.min(seq, covered);
      let gone = 0;
      for (;;) {
        const went = (await store.call("compact", upTo, compactEvents)) as number;
        if (went === 0) return gone;
        gone += went;
      }
    },

    async close() {
      await snapshots;
      await store.stop();
    },
  };

  async function snapshot(seq: number): Promise<void> {
    const making = snapshots.then(() => snapshotThread(workers.snapshot, { dir, version, seq }));
    snapshots = making.catch(() => {});
    const made = await making;
    if (typeof made === "number") covered = Math.max(covered, made);
  }

  async function append(first: number, events: readonly Event[]): Promise<void> {
    const astray = events.find((event, i) => event.seq !== first + i);
    if (astray) throw new Error(`event ${astray.seq} was decided, but ${first} is the next`);
    const bodies = events.map(bodyOf);
    const streams = events.map((event) => mendText(streamOf(event))); // SQLite would cut it off at a NUL
    const knows = allKnow(events);
    const left = knows < 2 ? [] : remnants.of(events).map((it) => [it.seq, it.body] as const);
    await store.call("append", knows > 0 ? [first, streams, bodies, knows, left] : [first, streams, bodies]);
  }

  async function readAll(after: number, limit: number, passOver: boolean): Promise<Event[]> {
    const events: Event[] = [];
    for (let page = readPage(after, limit, passOver); ; ) {
      const { bodies, last } = await page;
      const left = limit - events.length - bodies.length;
      const done = bodies.length === 0 || left === 0;
      if (!done) page = readPage(last, left, passOver); // the next one is read while this one is parsed
      for (const body of bodies) events.push(eventOf(body));
      if (done) return events;
    }
  }

  function readPage(after: number, limit: number, passOver: boolean): Promise<Page> {
    return store.call("read", after, Math.min(limit, pageEvents), undefined, { passOver }) as Promise<Page>;
  }
}
