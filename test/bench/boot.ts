/** Starting with a history: how long it takes to load, what it costs in memory, and how that grows. */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { loadDriver } from "../../src/adapters/sqlite/driver.ts";
import { loadState } from "../../src/daemon/engine/load-state.ts";
import type { Life, Place } from "../torture/daemon.ts";
import { makePlace, root, startLife } from "../torture/daemon.ts";
import { appendRate } from "./appends.ts";
import { logIn, writeEvents } from "./data.ts";
import { callerOn, startBare, timed } from "./http.ts";
import { SETTINGS } from "./latency.ts";
import type { Row } from "./rows.ts";
import { median, megabytes, ms, perSecond, row, times } from "./rows.ts";

const FULL = 100_000;
const SIZES = [1000, 10_000, FULL];
const RUNS = 5;

export async function measureBoot(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const growth: Row[] = [];
  const full: Row[] = [];
  for (const size of SIZES) {
    const place = makePlace(path.join(dir, String(size)), SETTINGS);
    const log = logIn(place.stateDir);
    await log.open();
    await writeEvents(log, size);
    await log.close();
    const floor = leastMs("floor", place);
    const before = leastMs("load", place);
    const startBefore = size === FULL ? await startMs(place) : 0;
    const tip = await makeSnapshot(place);
    const after = leastMs("load", place);
    const bytes = fs.statSync(path.join(place.stateDir, `snapshot-${tip}.json`)).size;
    if (size === FULL)
      full.push(
        ...bootRows({ floor, before, after, startBefore, startAfter: await startMs(place) }),
        ...(await inUse(dir, place)),
      );
    const rate = await rateIn(place);
    growth.push(growthRow(size, before, after, bytes, rate));
  }
  return [...full, ...growth, ...(await idle(path.join(dir, "idle")))];
}

/** The least that a fresh process needs for this, not counting the start of Node. */
function leastMs(what: "load" | "floor", place: Place): number {
  const taken: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const args = [process.argv[1] ?? "", "--child", what, place.stateDir];
    taken.push(Number(spawnSync(process.execPath, args, { env: place.env, encoding: "utf8" }).stdout));
  }
  return Math.min(...taken);
}

/** The counterpart of `leastMs`: the log is read into a state, or its records are only read and parsed. */
export async function measureOnce(what: string, stateDir: string): Promise<void> {
  const driver = await loadDriver();
  const log = logIn(stateDir);
  const readAndParse = async () => {
    const db = driver.open(path.join(stateDir, "events.db"), { readOnly: true });
    for (const { body } of db.prepare("SELECT body FROM events ORDER BY seq").all() as { body: string }[])
      JSON.parse(body);
  };
  const taken = await timed(() => (what === "load" ? loadState(log) : readAndParse()));
  console.log(taken);
  process.exit(0);
}

/** From the start of the process to the first answer. */
async function startMs(place: Place): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const from = performance.now();
    const life = startLife(place);
    await life.ready;
    await answered(place);
    taken.push(performance.now() - from);
    await life.kill();
  }
  return Math.min(...taken);
}

async function answered(place: Place): Promise<void> {
  const caller = callerOn(place.socket);
  await caller.call("GET", "/health");
  caller.close();
}

async function makeSnapshot(place: Place): Promise<number> {
  const log = logIn(place.stateDir);
  const { tip } = await log.open();
  await log.snapshot(tip);
  await log.close();
  return tip;
}

async function rateIn(place: Place): Promise<number> {
  const log = logIn(place.stateDir);
  const { tip } = await log.open();
  const rate = await appendRate(log, tip);
  await log.close();
  return rate;
}

interface Boot {
  floor: number;
  before: number;
  after: number;
  startBefore: number;
  startAfter: number;
}

function bootRows({ floor, before, after, startBefore, startAfter }: Boot): Row[] {
  const node = nodeMs();
  const group = "boot with 100,000 events and 10,000 pending";
  const start = `${ms(node)} node -e 0`;
  return [
    row(group, `load without snapshot (best of ${RUNS})`, {
      measured: ms(before),
      floor: `${ms(floor)} SQLite + JSON.parse`,
      ratio: times(before / floor),
      target: "< 1 s, ≤ 1.30×",
      ok: before < 1000 && before / floor <= 1.3,
      values: { load: before, floor },
    }),
    row(group, `load with snapshot (best of ${RUNS})`, {
      measured: ms(after),
      floor: `${ms(before)} without`,
      ratio: times(after / before),
      target: "< 200 ms, < 0.12×",
      ok: after < 200 && after / before < 0.12,
      values: { load: after },
    }),
    row(group, "process start to first answer, without snapshot", {
      measured: ms(startBefore),
      floor: start,
      ratio: times(startBefore / node),
      values: { start: startBefore },
    }),
    row(group, "process start to first answer, with snapshot", {
      measured: ms(startAfter),
      floor: start,
      ratio: times(startAfter / node),
      target: "< 6.00×",
      ok: startAfter / node < 6,
      values: { start: startAfter },
    }),
  ];
}

function growthRow(size: number, before: number, after: number, bytes: number, rate: number): Row {
  return row("growth", `${size.toLocaleString("en")} events`, {
    measured: `load ${ms(before)}, with snapshot ${ms(after)}`,
    floor: `snapshot ${megabytes(bytes)}`,
    ratio: "",
    target: `appends ${perSecond(rate)}`,
    values: { size, load: before, load_with_snapshot: after, snapshot_bytes: bytes, rate },
  });
}

/** Listing, memory and idle load with ten thousand pending decisions. */
async function inUse(dir: string, place: Place): Promise<Row[]> {
  const life = startLife(place);
  await life.ready;
  const caller = callerOn(place.socket);
  const cold = await timed(() => caller.call("GET", "/decisions"));
  const answer = await caller.call("GET", "/decisions");
  const bare = await startBare(dir, answer);
  const floor = callerOn(bare.socket);
  const [own, base]: [number[], number[]] = [[], []];
  for (let n = 0; n < 25; n++) {
    base.push(await timed(() => floor.call("GET", "/decisions")));
    own.push(await timed(() => caller.call("GET", "/decisions")));
  }
  floor.close();
  await bare.stop();
  caller.close();
  const memory = rssOf(life);
  await life.kill();
  const side = median(own) - median(base);
  const group = "10,000 pending";
  const rows = [
    row(group, "list, daemon side (last byte, less the floor)", {
      measured: ms(Math.max(0, side)),
      floor: `${ms(median(base))} bare Node, ${megabytes(answer.length)}`,
      ratio: times(median(own) / median(base)),
      target: "< 30 ms, ≤ 1.50×",
      ok: side < 30 && median(own) / median(base) <= 1.5,
      values: { side, own: median(own), bare: median(base) },
    }),
    row(group, "the first list after a start", {
      measured: ms(Math.max(0, cold - median(base))),
      floor: `${ms(median(base))} bare Node`,
      ratio: times(cold / median(base)),
      values: { cold },
    }),
    row(group, "memory after listing", {
      measured: megabytes(memory),
      target: "< 200 MB",
      ok: memory < 200e6,
      values: { memory },
    }),
  ];
  return rows;
}

async function idle(dir: string): Promise<Row[]> {
  const place = makePlace(dir, "");
  const life = startLife(place);
  await life.ready;
  await answered(place);
  await sleep(1000); // what a start leaves for later is done by now
  const before = cpuMs(life);
  await sleep(3000);
  const used = cpuMs(life) - before;
  const memory = rssOf(life);
  await life.kill();
  const bare = bareRss();
  const group = "idle";
  return [
    row(group, "memory of an idle daemon", {
      measured: megabytes(memory),
      floor: `${megabytes(bare)} bare Node server`,
      ratio: times(memory / bare),
      target: "< 75 MB or < 1.80×",
      ok: memory < 75e6 || memory / bare < 1.8,
      values: { memory, bare },
    }),
    row(group, "processor time of an idle daemon in 3 s", {
      measured: `${used} ms`,
      target: "≤ 10 ms (no polling)",
      ok: used <= 10,
      values: { used },
    }),
  ];
}

/** The command line, against an empty program. */
export async function measureCli(dir: string): Promise<Row[]> {
  const place = makePlace(dir, SETTINGS);
  const life = startLife(place);
  await life.ready;
  const caller = callerOn(place.socket);
  for (let n = 0; n < 20; n++) {
    const body = { project: "bench", cwd: "/", prompt: `Question ${n}?`, options: [{ label: "yes" }] };
    await caller.call("POST", "/decisions", body);
  }
  caller.close();
  const list = () => exitOf([path.join(root, "dist/oj.cjs"), "decision", "list"], place.env);
  const empty = () => exitOf(["-e", "0"], place.env);
  const [own, base]: [number[], number[]] = [[], []];
  for (let n = 0; n < 33; n++) {
    const [one, other] = [await timed(list), await timed(empty)];
    if (n < 3) continue;
    own.push(one);
    base.push(other);
  }
  await life.kill();
  const ratio = median(own) / median(base);
  return [
    row("the command line", "oj decision list, with a running daemon", {
      measured: ms(median(own)),
      floor: `${ms(median(base))} node -e 0`,
      ratio: times(ratio),
      target: "≤ 1.60×",
      ok: ratio <= 1.6,
      values: { own: median(own), node: median(base) },
    }),
  ];
}

function exitOf(args: string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(" ")}: ${code}`))));
  });
}

function nodeMs(): number {
  const taken = Array.from({ length: 9 }, () => {
    const from = performance.now();
    spawnSync(process.execPath, ["-e", "0"], { env: { PATH: process.env.PATH ?? "" } });
    return performance.now() - from;
  });
  return median(taken);
}

function bareRss(): number {
  const script = `require("node:http").createServer(() => {}); console.log(process.memoryUsage.rss())`;
  return Number(spawnSync(process.execPath, ["-e", script], { encoding: "utf8", env: {} }).stdout);
}

export function rssOf({ pid }: Life): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** User and system time of all its threads. The clock in /proc ticks a hundred times a second. */
function cpuMs({ pid }: Life): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
