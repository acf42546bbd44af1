/** The team's store as a whole: read while its daemons run or while they are kept out, or filled where there is none. */
import type { Entry, StoreStatus, Verified, Whole, WholeStore } from "../../store-ports.ts";
import { absent, inUse } from "../../store-ports.ts";
import { GENESIS } from "../audit/chain.ts";
import { isRemnant } from "../audit/erased.ts";
import type { Address } from "./address.ts";
import { addressOf } from "./address.ts";
import type { Connection, Row } from "./connection.ts";
import { connect } from "./connection.ts";
import { damagedAt, newer, storeError } from "./errors.ts";
import type { Known } from "./evidence.ts";
import { evidenceIn } from "./evidence.ts";
import { fillDatabase } from "./fill.ts";
import type { Identity } from "./identity.ts";
import { AT_ONE_MOMENT } from "./moment.ts";
import { askPresence, presenceOf } from "./presence.ts";
import type { Anchor } from "./rows.ts";
import { checkRows, isLink, wholeNumber } from "./rows.ts";
import { LEAVING, SCHEMA } from "./schema.ts";
import { newestSnapshot } from "./snapshots.ts";
import { verifyLog } from "./verify.ts";

const CONNECT_MS = 10_000;
const LIMIT_MS = 60_000;
const PAGE = 1000;

export interface PostgresStoreInput {
  url: string;
  password: string | null;
  version: string;
  /** What this machine knows of it, to compare; null if it knows nothing. */
  known: Known | null;
}

export function postgresStore({ url, password, version, known }: PostgresStoreInput): WholeStore {
  const address = addressOf(url, password);
  const { shown } = address;
  const name = `PostgreSQL at ${shown}`;
  return {
    kind: "postgres",
    shown: name,
    read: ({ alone }, work) =>
      using(address, async (connection) => {
        await refuseOther(connection, shown);
        const begin = alone ? await aloneIn(connection, name) : [AT_ONE_MOMENT];
        await connection.ask(begin, LIMIT_MS);
        return work(await wholeIn(connection, shown));
      }),
    fill: (whole, check) =>
      using(address, (connection) =>
        fillDatabase(connection, { whole, shown, version }, async () =>
          check(await wholeIn(connection, shown)),
        ),
      ),
    status: () => using(address, (connection) => statusOf(connection, name)),
    verify: () =>
      using(address, async (connection) => {
        await refuseOther(connection, shown);
        await connection.ask([AT_ONE_MOMENT], LIMIT_MS);
        return verifyIn(connection, shown, known?.seen ?? null);
      }),
    testify: (work) =>
      using(address, async (connection) => {
        await refuseOther(connection, shown);
        await connection.ask([AT_ONE_MOMENT], LIMIT_MS);
        return work(await evidenceIn(connection, known));
      }),
  };
}

async function using<T>(address: Address, work: (connection: Connection) => Promise<T>): Promise<T> {
  let connection: Connection | null = null;
  try {
    connection = await connect(address, CONNECT_MS);
    return await work(connection);
  } catch (error) {
    throw storeError(error, address.shown);
  } finally {
    await connection?.close(); // and with it what was not committed
  }
}

/** Nobody may write until the transaction ends, and nobody should be about to. */
async function aloneIn(connection: Connection, name: string): Promise<string[]> {
  const [who] = await connection.ask([askPresence], LIMIT_MS);
  const there = presenceOf(who?.rows ?? []).filter((it) => it.away === null);
  if (there.length > 0) throw inUse(name, `The daemon of ${there.map((it) => it.name).join(", ")}`);
  return [
    "BEGIN ISOLATION LEVEL REPEATABLE READ",
    "SET LOCAL lock_timeout = 5000",
    "LOCK TABLE head IN SHARE MODE",
  ];
}

async function schemaIn(connection: Connection): Promise<Row | null> {
  const text = "SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = 'meta'";
  const [found] = await connection.ask([text], LIMIT_MS);
  if (found?.rows.length !== 1) return null;
  const [meta] = await connection.ask(["SELECT * FROM meta"], LIMIT_MS);
  return meta?.rows[0] ?? null;
}

/** A database without a store, or with one of another version. */
async function refuseOther(connection: Connection, shown: string): Promise<void> {
  const meta = await schemaIn(connection);
  if (meta === null) throw absent(`PostgreSQL at ${shown}`);
  const [schema, least] = [wholeNumber(meta.schema) ?? 0, wholeNumber(meta.min_reader) ?? 0];
  if (least > SCHEMA) throw newer(shown, `was written by a newer oj (schema ${schema})`);
  if (schema < SCHEMA)
    throw newer(shown, `has the tables of an older oj (schema ${schema}): start a daemon on it first`);
}

async function limitsOf(connection: Connection): Promise<{ from: Anchor; to: Anchor }> {
  const [found] = await connection.ask(["SELECT base, base_chain, seq, chain FROM meta, head"], LIMIT_MS);
  const { base, base_chain, seq, chain } = found?.rows[0] ?? {};
  return {
    from: { seq: wholeNumber(base) ?? 0, chain: isLink(base_chain) ? base_chain : GENESIS },
    to: { seq: wholeNumber(seq) ?? 0, chain: isLink(chain) ? chain : GENESIS },
  };
}

async function wholeIn(connection: Connection, shown: string): Promise<Whole> {
  const { from, to } = await limitsOf(connection);
  const [meta] = await connection.ask(["SELECT erased, min_reader FROM meta"], LIMIT_MS);
  const hasErased = (wholeNumber(meta?.rows[0]?.erased) ?? 0) > 0;
  const hasRemoved = (wholeNumber(meta?.rows[0]?.min_reader) ?? 0) >= LEAVING;
  const { snapshot } = await newestSnapshot(connection, from.seq, to.seq);
  if (snapshot === null && from.seq > 0)
    throw damagedAt(shown, from.seq, "it was compacted, and no snapshot has it");
  return {
    base: from.seq,
    base_chain: from.chain,
    tip: to.seq,
    erased: hasErased,
    removed: hasRemoved,
    snapshot,
    async *pages() {
      let at = from;
      while (at.seq < to.seq) {
        const text =
          "SELECT seq, stream, body, chain FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3";
        const [page] = await connection.ask([{ text, values: [at.seq, to.seq, PAGE] }], LIMIT_MS);
        const { stored, problem } = checkRows(page?.rows ?? [], at);
        const last = stored.at(-1);
        if (problem !== null || last === undefined)
          throw damagedAt(shown, (last ?? at).seq + 1, problem ?? "it is missing");
        yield stored.map(({ seq, chain }, n) => entryOf(page?.rows[n] ?? {}, seq, chain));
        at = last;
      }
      if (!at.chain.equals(to.chain)) throw damagedAt(shown, at.seq, "the head of the log has another link");
    },
  };
}

/** `checkRows` has seen that both are text. */
function entryOf({ stream, body }: Row, seq: number, link: Buffer): Entry {
  const entry = { seq, stream: stream as string, body: body as string };
  return isRemnant(entry.body) ? { ...entry, link } : entry;
}

async function statusOf(connection: Connection, at: string): Promise<StoreStatus> {
  const none: StoreStatus = {
    kind: "postgres",
    at,
    exists: false,
    tip: 0,
    first: 0,
    snapshot: null,
    bytes: 0,
    machines: [],
  };
  if ((await schemaIn(connection)) === null) return none;
  await refuseOther(connection, at.replace(/^PostgreSQL at /, ""));
  const { from, to } = await limitsOf(connection);
  const [snapshots, size, who] = await connection.ask(
    [
      "SELECT max(seq) AS seq FROM snapshots",
      "SELECT pg_database_size(current_database()) AS bytes",
      askPresence,
    ],
    LIMIT_MS,
  );
  return {
    ...none,
    exists: true,
    tip: to.seq,
    first: to.seq > from.seq ? from.seq + 1 : 0,
    snapshot: wholeNumber(snapshots?.rows[0]?.seq),
    bytes: wholeNumber(size?.rows[0]?.bytes) ?? 0,
    machines: presenceOf(who?.rows ?? []).map(({ name, away }) => ({
      name,
      away_since_ms: away?.since_ms ?? null,
    })),
  };
}

async function verifyIn(connection: Connection, shown: string, seen: Identity["seen"]): Promise<Verified> {
  const { from, to } = await limitsOf(connection);
  const damage = await verifyLog(connection, shown);
  const { skipped } = await newestSnapshot(connection, from.seq, to.seq);
  const gone = damage === null && seen !== null ? await missed(connection, from, to, seen) : null;
  const problem = damage === null ? gone : { seq: damage.seq, what: damage.what };
  const events = problem === null ? to.seq - from.seq : Math.max(0, problem.seq - 1 - from.seq);
  return { events, tip: to.seq, problem, warnings: skipped };
}

/** What this machine has seen and the log no longer has, although its own chain is whole. */
async function missed(
  connection: Connection,
  from: Anchor,
  to: Anchor,
  seen: NonNullable<Identity["seen"]>,
): Promise<Verified["problem"]> {
  if (seen.seq > to.seq)
    return { seq: to.seq + 1, what: `it is gone: this machine has seen ${seen.seq} events` };
  if (seen.seq <= from.seq) return null;
  const text = "SELECT chain FROM events WHERE seq = $1";
  const [found] = await connection.ask([{ text, values: [seen.seq] }], LIMIT_MS);
  const chain = found?.rows[0]?.chain;
  if (isLink(chain) && chain.toString("hex") === seen.chain) return null;
  return { seq: seen.seq, what: "it or one before it was replaced: this machine has seen another one" };
}
