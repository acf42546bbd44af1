/** The port `Log` on PostgreSQL, for several daemons at once. */
import { Worker } from "node:worker_threads";
import type { Event } from "../../core/model/events.ts";
import type { Journal, Log, Opened } from "../../ports.ts";
import { remnantsToLeave } from "../audit/remnants.ts";
import { addressOf } from "./address.ts";
import type { Answer, Connection, Question } from "./connection.ts";
import { damagedAt, storeError } from "./errors.ts";
import type { Identity, Keeper } from "./identity.ts";
import { claim } from "./identity.ts";
import { lane } from "./lane.ts";
import type { Listener } from "./listener.ts";
import { startListener } from "./listener.ts";
import { migrate } from "./migrate.ts";
import { atOneMoment } from "./moment.ts";
import { pagesAt } from "./pages.ts";
import { agreeOn, askLoss, askTime, askWho, presenceOf, sayLeft } from "./presence.ts";
import { wholeNumber } from "./rows.ts";
import type { SnapshotDone, SnapshotWork } from "./snapshot-worker.ts";
import { newestSnapshot } from "./snapshots.ts";
import { turnsOn } from "./turns.ts";
import { verifyLog } from "./verify.ts";

export interface PostgresLogInput {
  url: string;
  /** From a file or the environment, if it is not in the URL. */
  password: string | null;
  version: string;
  keeper: Keeper;
  journal: Journal;
  /** The bundle of `adapters/postgres/snapshot-worker.ts`. */
  worker: string;
  /** Is told the database's time whenever it is known. */
  agree?: (now_ms: number) => void;
  /** How long `open` waits for the database, and a turn. */
  openWithinMs?: number;
  turnWithinMs?: number;
}

const ASYNCHRONOUS = "PostgreSQL replicates asynchronously: a failover may lose what was acknowledged";
/** At a start the database may still be on its way up. */
const OPEN_MS = 12_000;
const READ_MS = 5000;
const REMEMBER_MS = 10_000;
const LEAVE_MS = 1000;
const COMPACT_MS = 60_000;
/** Whether a snapshot is older than what was last erased. */
const OWED_SCOURING = `
  SELECT seq, erased > 0 AND erased > (SELECT min(s.seq) FROM snapshots s) AS owed FROM meta, head`;
/** Events per compacting commit. */
const COMPACT_EVENTS = 5000;

export function postgresLog(input: PostgresLogInput): Log {
  const { url, password, version, keeper, journal, worker, agree, openWithinMs = OPEN_MS } = input;
  const address = addressOf(url, password);
  const { shown } = address;
  const writing = lane(address);
  const reading = lane(address);
  const pages = pagesAt(shown);
  let self: Identity | null = null;
  let listener: Listener | null = null;
  let snapshots: Promise<unknown> = Promise.resolve();
  const followers = new Set<() => void>();
  let remembering: NodeJS.Timeout | undefined;
  const remnants = remnantsToLeave();

  const warn = (error: Error) =>
    journal.warn("could not keep what was seen of the store", { error: error.message });

  /** Keeps the last event seen, for the next start to compare. */
  async function remember(): Promise<void> {
    const last = pages.seen();
    if (self === null || last === null) return;
    const seen = { seq: last.seq, chain: last.chain.toString("hex") };
    if (seen.seq === self.seen?.seq && seen.chain === self.seen.chain) return; // after a repair it may be another one
    self = { ...self, seen };
    await keeper.save(self);
  }

  /** Where the log begins and ends, and the snapshot for that; compared with what this machine has seen of it. */
  async function lookAt(connection: Connection): Promise<Opened> {
    const [found] = await connection.ask(["SELECT base, seq FROM meta, head"], READ_MS);
    const [base = 0, tip = 0] = [found?.rows[0]?.base, found?.rows[0]?.seq].map((it) => wholeNumber(it) ?? 0);
    pages.refuseShorter(tip);
    const last = pages.seen();
    if (last) pages.checked(await rowsFrom(connection, last.seq), last.seq);
    const { snapshot, skipped } = await newestSnapshot(connection, base, tip);
    if (snapshot === null && base > 0)
      throw damagedAt(shown, base, ["it was compacted, and no snapshot has it", ...skipped].join(". "));
    return { snapshot, tip, first: base + 1, damage: null, machine: self?.id ?? null, skipped };
  }

  const rowsFrom = async (connection: Connection, seq: number) =>
    (await connection.ask([pages.query(seq, 1)], READ_MS))[0]?.rows ?? [];

  const ask = async (question: Question, limitMs = READ_MS): Promise<Answer["rows"]> => {
    try {
      const [answer] = await reading.use(limitMs, (it, left) => it.ask([question], left()));
      return answer?.rows ?? [];
    } catch (error) {
      throw storeError(error, shown);
    }
  };

  async function snapshot(seq: number): Promise<void> {
    const making = snapshots.then(() => makeSnapshot(worker, { url, password, version, seq }));
    snapshots = making.catch(() => {});
    const done = await making;
    if ("problem" in done) throw storeError(new Error(done.problem), shown);
  }

  return {
    async open({ repair = false } = {}) {
      try {
        return await reading.use(openWithinMs, async (connection) => {
          await migrate(connection, shown, version);
          if (self === null) {
            self = await claim(connection, keeper, READ_MS);
            if (self.seen !== null && !repair)
              pages.note({ seq: self.seen.seq, chain: Buffer.from(self.seen.chain, "hex") });
            remembering ??= setInterval(() => void remember().catch(warn), REMEMBER_MS).unref();
          }
          const [time, loss] = await connection.ask([askTime, askLoss], READ_MS);
          agreeOn(agree, time);
          if (loss?.rows[0]?.may_lose === true)
            journal.warn(ASYNCHRONOUS, { hint: "synchronous_standby_names" });
          return atOneMoment(connection, () => lookAt(connection), READ_MS);
        });
      } catch (error) {
        throw storeError(error, shown);
      }
    },

    async read(after, limit) {
      const events: Event[] = [];
      while (events.length < limit) {
        const last = events.at(-1)?.seq ?? after;
        const size = Math.min(limit - events.length, PAGE);
        const page = pages.checked(await ask(pages.query(last, size)), last);
        for (const { event } of page.slice(0, size)) events.push(event);
        if (page.length < size) break;
      }
      return events;
    },

    async look(after, limit) {
      const rows = await ask(pages.query(after, limit));
      return pages.looked(rows, after).slice(0, limit);
    },

    async find(after, limit, ids) {
      const text = `
        SELECT seq, body FROM events
        WHERE seq > $1 AND seq <= $2
          AND EXISTS (SELECT FROM unnest($3::text[]) AS id WHERE strpos(body, id) > 0)
        ORDER BY seq`;
      const [limits] = await ask("SELECT base, seq FROM meta, head");
      const from = Math.max(after, wholeNumber(limits?.base) ?? 0);
      const rows = await ask({ text, values: [from, from + limit, ids.map((id) => JSON.stringify(id))] });
      const isEnd = from + limit > (wholeNumber(limits?.seq) ?? 0);
      return { events: pages.looked(rows, from), last: isEnd ? null : from + limit };
    },

    async verify() {
      const aside = lane(address); // it takes long: nobody else may wait for it
      try {
        return await aside.use(COMPACT_MS, (it) => atOneMoment(it, () => verifyLog(it, shown)));
      } catch (error) {
        throw storeError(error, shown);
      } finally {
        await aside.close();
      }
    },

    turn: turnsOn(
      writing,
      pages,
      shown,
      () => ({
        id: self?.id ?? "",
        epoch: self?.epoch ?? 0,
        folder: keeper.folder,
        key: keeper.key(),
        remnants,
      }),
      input.turnWithinMs,
    ),

    follow(call) {
      followers.add(call);
      listener ??= startListener(address, journal, (seq) => {
        if (seq > (pages.seen()?.seq ?? 0)) for (const it of followers) it();
      });
      return () => void followers.delete(call);
    },

    async machines(name) {
      const me = self;
      if (me === null) return [];
      try {
        const [time, , who] = await reading.use(READ_MS, (it, left) =>
          it.ask([askTime, ...askWho(me, name)], left()),
        );
        agreeOn(agree, time);
        return presenceOf(who?.rows ?? []);
      } catch (error) {
        throw storeError(error, shown);
      }
    },

    async banish(machine) {
      await ask({ text: "UPDATE daemons SET forgotten = true WHERE name = $1", values: [machine] });
    },

    snapshot,

    leaving: remnants.add,

    async scour() {
      const [found] = await ask(OWED_SCOURING);
      if (found?.owed !== true) return;
      await snapshot(wholeNumber(found.seq) ?? 0);
      await ask("SELECT thin_out(1)");
      // the server frees what is no longer used; a role that does not own the tables is only warned
      for (const table of ["events", "snapshots"]) await ask(`VACUUM ${table}`, COMPACT_MS);
    },

    lastHeard: () => listener?.lastHeard() ?? null,

    async compact(seq) {
      let gone = 0;
      for (;;) {
        const question = {
          text: "SELECT forget($1, $2) AS went",
          values: [Math.max(0, seq), COMPACT_EVENTS],
        };
        const went = wholeNumber((await ask(question, COMPACT_MS))[0]?.went) ?? 0;
        if (went === 0) return gone;
        gone += went;
      }
    },

    async close() {
      clearInterval(remembering);
      await remember().catch(warn);
      const me = self;
      if (me !== null)
        await reading.use(LEAVE_MS, (it, left) => it.ask([sayLeft(me)], left())).catch(() => {}); // others will notice
      await listener?.close();
      await snapshots;
      await writing.close();
      await reading.close();
    },
  };
}

/** Events per question. */
const PAGE = 1000;

async function makeSnapshot(file: string, work: SnapshotWork): Promise<SnapshotDone> {
  const thread = new Worker(file, { name: "oj-snapshot", workerData: work });
  return new Promise((resolve) => {
    let done: SnapshotDone | null = null;
    let reason = "";
    thread.on("message", (it: SnapshotDone) => (done = it));
    thread.on("error", (error) => (reason = error.message));
    thread.on("exit", (code) =>
      resolve(
        done ?? { problem: `The thread that makes snapshots ended (${reason || `exit code ${code}`}).` },
      ),
    );
  });
}
