/** Fills an empty database with a whole log, in one transaction: all of it is there, or nothing. */
import { randomUUID } from "node:crypto";
import type { Knows } from "../../core/rights/writers.ts";
import { most, textKnows } from "../../core/rights/writers.ts";
import type { Whole } from "../../store-ports.ts";
import { notEmpty } from "../../store-ports.ts";
import { GENESIS, linkOf } from "../audit/chain.ts";
import type { Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { eventIn } from "./rows.ts";
import { writeSnapshot } from "./snapshots.ts";

const LIMIT_MS = 60_000;
/** Whoever wrote these events has no place in this database. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

const HELD = `
  SELECT (SELECT seq FROM head) > 0 OR (SELECT base FROM meta) > 0
    OR EXISTS (SELECT FROM snapshots) OR EXISTS (SELECT FROM events) AS held`;

const INSERT = `
  INSERT INTO events (seq, batch, stream, body, chain)
  SELECT n, $1, s, b, c FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bytea[]) AS t (n, s, b, c)`;

export async function fillDatabase(
  connection: Connection,
  { whole, shown, version }: { whole: Whole; shown: string; version: string },
  check: () => Promise<void>,
): Promise<void> {
  await migrate(connection, shown, version);
  const lock = ["BEGIN", "SET LOCAL lock_timeout = 5000", "LOCK TABLE head IN EXCLUSIVE MODE", HELD];
  const held = (await connection.ask(lock, LIMIT_MS)).at(-1);
  if (held?.rows[0]?.held !== false) throw notEmpty(`PostgreSQL at ${shown}`);
  const start = whole.base_chain ?? GENESIS;
  const base = { text: "UPDATE meta SET base = $1, base_chain = $2", values: [whole.base, start] };
  if (whole.base > 0) await connection.ask([base], LIMIT_MS);
  const { chain, at_ms, knows } = await insert(connection, whole, start);
  if (knows > 0) await connection.ask(["SELECT raise_writer()"], LIMIT_MS);
  if (knows > 1) await connection.ask(["SELECT erase('{}', '{}')"], LIMIT_MS);
  if (knows > 2) await connection.ask(["SELECT raise_leaving()"], LIMIT_MS);
  const head = {
    text: "UPDATE head SET seq = $1, at_ms = $2, chain = $3",
    values: [whole.tip, at_ms, chain],
  };
  await connection.ask([head], LIMIT_MS);
  const { snapshot } = whole;
  if (snapshot !== null) await writeSnapshot(connection, snapshot.seq, snapshot.state, version);
  await check();
  await connection.ask(["COMMIT"], LIMIT_MS);
}

async function insert(
  connection: Connection,
  whole: Whole,
  start: Buffer,
): Promise<{ chain: Buffer; at_ms: number; knows: Knows }> {
  let [chain, at_ms] = [start, 0];
  let knows = textKnows(whole.snapshot?.state ?? "");
  for await (const page of whole.pages()) {
    knows = most([knows, ...page.map((it) => textKnows(it.body))]);
    const batch = randomUUID();
    const chains = page.map((it) => (chain = it.link ?? linkOf(chain, it.seq, it.stream, it.body)));
    const last = page.at(-1);
    at_ms = Math.max(at_ms, eventIn(last?.body, last?.seq ?? 0)?.at_ms ?? 0);
    const columns = [
      page.map((it) => it.seq),
      page.map((it) => it.stream),
      page.map((it) => it.body),
      chains,
    ];
    const note = {
      text: "INSERT INTO batches VALUES ($1, $2, $3, $4, 0)",
      values: [batch, page[0]?.seq, last?.seq, NOBODY],
    };
    await connection.ask([note, { text: INSERT, values: [batch, ...columns] }], LIMIT_MS);
  }
  return { chain, at_ms, knows };
}
