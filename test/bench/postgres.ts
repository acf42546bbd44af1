/** The team's store: answers a second by one daemon and by two, beside pgbench on the same table in the same run. */

import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { postgresLog } from "../../src/adapters/postgres/log.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import { loadState } from "../../src/daemon/engine/load-state.ts";
import type { Log } from "../../src/ports.ts";
import { asker, requestInput } from "../fakes/core.ts";
import type { Postgres } from "../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../fakes/servers/postgres.ts";
import { throwawayKey } from "../fakes/throwaway-key.ts";
import { root } from "../torture/daemon.ts";
import { rate as rateOf } from "./appends.ts";
import { writeEvents } from "./data.ts";
import { timed } from "./http.ts";
import type { Row } from "./rows.ts";
import { median, ms, perSecond, quantile, row, times } from "./rows.ts";

const CALLERS = 64;
const SECONDS = 4;
const SEEN = 300;
const BOOT = 100_000;

export async function measurePostgres(dir: string): Promise<Row[]> {
  const why = whyNoPostgres();
  if (why !== null) return [row("PostgreSQL", why, { values: {} })];
  fs.mkdirSync(dir, { recursive: true });
  const server = await postgres({ durable: true });
  try {
    return [...(await throughput(server, dir)), ...(await seen(server)), ...(await boot(server))];
  } finally {
    await server.close();
  }
}

async function throughput(server: Postgres, dir: string): Promise<Row[]> {
  const floor = { one: await pgbench(server, dir, 1), many: await pgbench(server, dir, CALLERS) };
  const url = await server.database();
  const one = await daemons(url, 1, 1);
  const many = await daemons(url, 1, CALLERS);
  const two = await daemons(url, 2, CALLERS);
  const group = "PostgreSQL: facts a second, on disk before the caller is told";
  const line = (name: string, value: number, beside: number, least: number | null) =>
    row(group, name, {
      measured: perSecond(value),
      floor: `${perSecond(beside)} pgbench with NOTIFY`,
      ratio: times(value / beside),
      ...(least === null ? {} : { target: `≥ ${times(least)}`, ok: value / beside >= least }),
      values: { rate: value, pgbench: beside },
    });
  return [
    line("one daemon, one caller", one, floor.one, null),
    line(`one daemon, ${CALLERS} callers`, many, floor.many, 2),
    line(`two daemons, ${CALLERS} callers each`, two, floor.many, 1.5),
  ];
}

/** The least that a durable insert with a notice costs, by PostgreSQL's own tool. */
async function pgbench(server: Postgres, dir: string, clients: number): Promise<number> {
  const url = await server.database();
  const log = logAt(url);
  await log.open();
  await log.close();
  server.sql(url, "CREATE SEQUENCE bench");
  const file = path.join(dir, "insert.sql");
  const body = "x".repeat(700);
  fs.writeFileSync(
    file,
    `BEGIN;\nINSERT INTO events VALUES (nextval('bench'), gen_random_uuid(), 'dec-1', '${body}', sha256('x'));\nNOTIFY oj, '1';\nCOMMIT;\n`,
  );
  const args = ["-n", "-c", `${clients}`, "-j", "2", "-T", `${SECONDS}`, "-f", file, url];
  const { stdout } = spawnSync("pgbench", args, { encoding: "utf8" });
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}

/** What they wrote together in a second. */
const daemons = async (url: string, count: number, callers: number) =>
  (await crowd(url, count, callers)).rate;

export interface Crowd {
  /** What all of them wrote in a second, and how long a caller waited. */
  rate: number;
  p50: number;
  p99: number;
}

/** Each a process of its own. */
export async function crowd(url: string, count: number, callers: number): Promise<Crowd> {
  const children = Array.from({ length: count }, () => {
    const args = [process.argv[1] ?? "", "--child", "turns", url, `${callers}`];
    return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  });
  const rates = children.map(async (child) => {
    let text = "";
    child.stdout.on("data", (part) => (text += part));
    await once(child, "close");
    return JSON.parse(text) as Crowd;
  });
  const all = await Promise.all(rates);
  return {
    rate: all.reduce((sum, it) => sum + it.rate, 0),
    p50: median(all.map((it) => it.p50)),
    p99: Math.max(...all.map((it) => it.p99)),
  };
}

/** The counterpart of `crowd`. */
export async function turnOnce(url: string, callers: number): Promise<void> {
  const { engine } = await daemonOn(url);
  const ask = () => engine.run((state, moment) => requestDecision(state, request, moment));
  await rateOf(callers * 20, ask, callers); // warms up, and the other one starts meanwhile
  const until = performance.now() + SECONDS * 1000;
  const taken: number[] = [];
  const from = performance.now();
  const caller = async () => {
    while (performance.now() < until) taken.push(await timed(ask));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const rate = (taken.length / (performance.now() - from)) * 1000;
  process.stdout.write(JSON.stringify({ rate, p50: median(taken), p99: quantile(taken, 0.99) }));
  process.exit(0);
}

async function seen(server: Postgres): Promise<Row[]> {
  const url = await server.database();
  const [a, b] = [await daemonOn(url), await daemonOn(url)];
  const arrived = new Map<DecisionId, number>();
  b.engine.watch((events) => {
    for (const it of events) arrived.set((it as { id: DecisionId }).id, performance.now());
  });
  const taken: number[] = [];
  for (let n = 0; n < SEEN; n++) {
    const [event] = await a.engine.run((state, moment) => requestDecision(state, request, moment));
    const [committed, id] = [performance.now(), (event as { id: DecisionId }).id];
    while (!arrived.has(id)) await new Promise((resolve) => setImmediate(resolve));
    taken.push(Math.max(0, (arrived.get(id) ?? 0) - committed));
  }
  for (const it of [a, b]) {
    await it.engine.stop();
    await it.log.close();
  }
  const [p50, p99] = [median(taken), quantile(taken, 0.99)];
  const group = "PostgreSQL: committed by one daemon → seen by the other";
  return [
    row(group, "p50", { measured: ms(p50), target: "< 5 ms", ok: p50 < 5, values: { p50 } }),
    row(group, "p99", { measured: ms(p99), target: "< 50 ms", ok: p99 < 50, values: { p99 } }),
  ];
}

async function boot(server: Postgres): Promise<Row[]> {
  const url = await server.database();
  const first = logAt(url);
  await first.open();
  await writeEvents(first, BOOT);
  await first.snapshot(BOOT);
  await first.close();
  const taken: number[] = [];
  for (let n = 0; n < 5; n++) {
    const log = logAt(url);
    taken.push(await timed(() => loadState(log)));
    await log.close();
  }
  const least = Math.min(...taken);
  const name = `load ${BOOT.toLocaleString("en")} events with a snapshot (best of 5)`;
  return [
    row("PostgreSQL: boot", name, {
      measured: ms(least),
      target: "< 500 ms",
      ok: least < 500,
      values: { least },
    }),
  ];
}

export const request = requestInput({ requester: asker("ana", { is_agent: false }) });

export async function daemonOn(url: string) {
  const log = logAt(url);
  const { state } = await loadState(log);
  const engine = startEngine({ log, clock: systemClock, random: randomBytes, journal: silent }, state);
  return { log, engine };
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

export function logAt(url: string): Log {
  const keeper = { folder: "/bench", key: throwawayKey(), load: async () => null, save: async () => {} };
  const worker = path.join(root, "dist/postgres-snapshot-worker.cjs");
  return postgresLog({
    url,
    password: null,
    version: "0.0.0-bench",
    keeper,
    journal: silent,
    worker,
  });
}
