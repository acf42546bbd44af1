/** Durable appends: the log's port against SQLite itself at the same setting, on the same disk. */
import fs from "node:fs";
import path from "node:path";
import { loadDriver } from "../../src/adapters/sqlite/driver.ts";
import { streamOf } from "../../src/core/model/events.ts";
import type { Log } from "../../src/ports.ts";
import { writeLog } from "../fakes/write-log.ts";
import { createdFact, eventOf, logIn } from "./data.ts";
import type { Row } from "./rows.ts";
import { median, perSecond, row, times } from "./rows.ts";

const ROUNDS = 9;
const EACH = 250;
const WRITERS = 64;
const MANY = 6000;

export async function measureAppends(dir: string): Promise<Row[]> {
  const raw = await rawWriter(path.join(dir, "raw"));
  const log = logIn(path.join(dir, "log"));
  await log.open();
  const own = writerOn(log, 0);
  const [rawRates, ownRates]: [number[], number[]] = [[], []];
  await rate(EACH, raw.append); // not counted: both warm up
  await rate(EACH, own.append);
  for (let round = 0; round < ROUNDS; round++) {
    rawRates.push(await rate(EACH, raw.append));
    ownRates.push(await rate(EACH, own.append));
  }
  const many: number[] = [];
  for (let round = 0; round < 3; round++) many.push(await rate(MANY, own.append, WRITERS));
  await log.close();
  raw.close();

  const [rawRate, one, all] = [median(rawRates), median(ownRates), median(many)];
  const group = "durable appends (one event each, on disk before it returns)";
  return [
    row(group, "one writer, through the log", {
      measured: perSecond(one),
      floor: `${perSecond(rawRate)} raw SQLite`,
      ratio: times(one / rawRate),
      target: "≥ 0.80×",
      ok: one / rawRate >= 0.8,
      values: { one, raw: rawRate },
    }),
    row(group, `${WRITERS} writers, through the log`, {
      measured: perSecond(all),
      floor: `${perSecond(one)} one writer`,
      ratio: times(all / one),
      target: "≥ 10×",
      ok: all / one >= 10,
      values: { all, one },
    }),
  ];
}

/** Milliseconds of one commit by SQLite itself, right now. */
export async function rawCommitMs(dir: string): Promise<number> {
  const raw = await rawWriter(dir);
  await rate(100, raw.append);
  const rates: number[] = [];
  for (let round = 0; round < 3; round++) rates.push(await rate(150, raw.append));
  raw.close();
  return 1000 / median(rates);
}

/** How many a second one writer appends to this log, which ends at `tip`. */
export async function appendRate(log: Log, tip: number): Promise<number> {
  const { append } = writerOn(log, tip);
  await rate(100, append);
  const rates: number[] = [];
  for (let round = 0; round < 5; round++) rates.push(await rate(EACH, append));
  return median(rates);
}

export async function rate(count: number, append: () => Promise<unknown>, writers = 1): Promise<number> {
  let left = count;
  const write = async () => {
    while (left-- > 0) await append();
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: writers }, write));
  return (count / (performance.now() - from)) * 1000;
}

function writerOn(log: Log, tip: number): { append(): Promise<void> } {
  let seq = tip;
  return {
    append() {
      seq += 1;
      const event = eventOf(createdFact(seq), seq);
      return writeLog(log, [event]);
    },
  };
}

/** What the log's thread does, without the thread and the checksum. */
async function rawWriter(dir: string): Promise<{ append(): Promise<void>; close(): void }> {
  fs.mkdirSync(dir, { recursive: true });
  const driver = await loadDriver();
  const db = driver.open(path.join(dir, "raw.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec(
    "CREATE TABLE events (seq INTEGER PRIMARY KEY, stream TEXT NOT NULL, body TEXT NOT NULL, sum INTEGER NOT NULL)",
  );
  const insert = db.prepare("INSERT INTO events (seq, stream, body, sum) VALUES (?, ?, ?, ?)");
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")];
  let seq = 0;
  return {
    async append() {
      seq += 1;
      const event = eventOf(createdFact(seq), seq);
      begin.run();
      insert.run(seq, streamOf(event), JSON.stringify(event), 0);
      commit.run();
    },
    close: () => db.close(),
  };
}
