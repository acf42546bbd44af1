/**
 * How the team's store grows: more daemons, more that is pending, more events, a longer way to the database. OJ_EVENTS
 * says how many events there are at the end (a million). docs/scale.md has what it says and what follows from it.
 */
import { resolveDecision } from "../../src/core/decision/give.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import type { Postgres } from "../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../fakes/servers/postgres.ts";
import { relayTo } from "../fakes/servers/relay.ts";
import { writeLog } from "../fakes/write-log.ts";
import { answered, eventOf, writePending } from "./data.ts";
import { timed } from "./http.ts";
import { crowd, daemonOn, logAt, request } from "./postgres.ts";
import type { Row } from "./rows.ts";
import { median, megabytes, ms, perSecond, quantile, row } from "./rows.ts";

const DAEMONS = [1, 2, 4, 8];
const CALLERS = 8;
const PENDING = [10, 100, 1000, 10_000, 100_000];
const ROUND_TRIPS_MS = [0, 2, 10, 50, 100];
const EVENTS = Number(process.env.OJ_EVENTS ?? 1_000_000);
const TURNS = 100;
const BATCH = 2000;

export async function measureScale(): Promise<Row[]> {
  const why = whyNoPostgres();
  if (why !== null) return [row("PostgreSQL: growth", why, { values: {} })];
  const server = await postgres({ durable: true });
  try {
    return [
      ...(await moreDaemons(server)),
      ...(await morePending(server)),
      ...(await fartherAway(server)),
      ...(await moreEvents(server)),
    ];
  } finally {
    await server.close();
  }
}

async function moreDaemons(server: Postgres): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of DAEMONS) {
    const { rate, p50, p99 } = await crowd(await server.database(), count, CALLERS);
    const measured = `${perSecond(rate)}, p50 ${ms(p50)}, p99 ${ms(p99)}`;
    rows.push(
      row("PostgreSQL: daemons, 8 callers each", `${count}`, { measured, values: { rate, p50, p99 } }),
    );
  }
  return rows;
}

/** One caller after the other asks and answers, beside what is pending. */
async function morePending(server: Postgres): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of PENDING) {
    const url = await server.database();
    const log = logAt(url);
    await log.open();
    await writePending(log, count);
    await log.snapshot(count);
    await log.close();
    const began = performance.now();
    const daemon = await daemonOn(url);
    const boot = performance.now() - began;
    const { p50, p99 } = await turns(daemon);
    const measured = `p50 ${ms(p50)}, p99 ${ms(p99)}, start ${ms(boot)}`;
    const name = count.toLocaleString("en");
    rows.push(row("PostgreSQL: pending decisions", name, { measured, values: { p50, p99, boot } }));
  }
  return rows;
}

async function fartherAway(server: Postgres): Promise<Row[]> {
  const rows: Row[] = [];
  const relay = await relayTo(server.port);
  for (const roundTrip of ROUND_TRIPS_MS) {
    const url = (await server.database()).replace(`:${server.port}/`, `:${relay.port}/`);
    const first = logAt(url); // makes the tables
    await first.open();
    await first.close();
    relay.delay(roundTrip / 2);
    const { p50, p99 } = await turns(await daemonOn(url));
    const { rate } = await crowd(url, 1, 64);
    relay.delay(0);
    const measured = `p50 ${ms(p50)}, p99 ${ms(p99)}, 64 callers ${perSecond(rate)}`;
    rows.push(
      row("PostgreSQL: round trip to the database", `${roundTrip} ms`, {
        measured,
        values: { p50, p99, rate },
      }),
    );
  }
  await relay.close();
  return rows;
}

/** The same log, ever longer. Most of what happened is over. */
async function moreEvents(server: Postgres): Promise<Row[]> {
  const rows: Row[] = [];
  const url = await server.database();
  const log = logAt(url);
  await log.open();
  let seq = 0;
  const began = performance.now();
  for (let mark = Math.min(EVENTS, 10_000); ; mark = Math.min(EVENTS, mark * 10)) {
    while (seq < mark) {
      const facts = Array.from({ length: BATCH / 4 }, (_, n) => answered(seq + n)).flat();
      const events = facts.map((fact, n) => eventOf(fact, seq + n + 1));
      await writeLog(log, events);
      seq += events.length;
    }
    const filled = (seq / (performance.now() - began)) * 1000;
    const taken: number[] = [];
    for (let n = 0; n < TURNS; n++) {
      const [fact] = answered(seq);
      seq += 1;
      if (fact) taken.push(await timed(() => writeLog(log, [eventOf(fact, seq)])));
    }
    const page = await timed(() => log.read(Math.floor(seq / 2), 500));
    const bytes = Number(server.sql(url, "SELECT pg_database_size(current_database())"));
    const [p50, p99] = [median(taken), quantile(taken, 0.99)];
    const size = `${megabytes(bytes)} (${Math.round(bytes / seq)} bytes each)`;
    const measured = `p50 ${ms(p50)}, p99 ${ms(p99)}, 500 read in ${ms(page)}, ${size}`;
    const values = { p50, p99, page, bytes, filled };
    rows.push(row("PostgreSQL: events in the log", mark.toLocaleString("en"), { measured, values }));
    if (mark >= EVENTS) break;
  }
  await log.close();
  return rows;
}

/** What one person waits for a question and its answer, each a turn, when nobody else writes. Stops the daemon. */
async function turns({
  engine,
  log,
}: Awaited<ReturnType<typeof daemonOn>>): Promise<{ p50: number; p99: number }> {
  const taken: number[] = [];
  for (let n = 0; n < TURNS; n++) {
    let id: DecisionId = "dec-none";
    const ask = async () => {
      const [event] = await engine.run((state, moment) => requestDecision(state, request, moment));
      id = (event as { id: DecisionId }).id;
    };
    taken.push(await timed(ask));
    const given = { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const };
    taken.push(await timed(() => engine.run((state, moment) => resolveDecision(state, given, moment))));
  }
  await engine.stop();
  await log.close();
  return { p50: median(taken), p99: quantile(taken, 0.99) };
}
