/** The SQLite inside Node beside the package with the same API that older versions of Node need, in one process. */
import fs from "node:fs";
import path from "node:path";
import { rate } from "./appends.ts";
import { createdFact, eventOf } from "./data.ts";
import { median } from "./rows.ts";

const ROUNDS = 7;
const COMMITS = 300;
const ROWS = 100_000;

interface Statement {
  run(...values: unknown[]): unknown;
  all(): unknown[];
}

interface Module {
  DatabaseSync: new (
    file: string,
  ) => { exec(sql: string): void; prepare(sql: string): Statement; close(): void };
}

export interface Figures {
  /** Milliseconds until the module is there, and what it adds to the process. */
  loadMs: number;
  loadBytes: number;
  commitsPerSecond: number;
  readMs: number;
}

export type Kind = "package" | "built-in";

/** Prints the figures of both: for a process of its own, under the Node that is measured. */
export async function measureSqlite(dir: string): Promise<never> {
  fs.mkdirSync(dir, { recursive: true });
  const loaded = [await load("package", dir), await load("built-in", dir)];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const it of loaded) {
      const [commits, read] = [await rate(COMMITS, it.append), it.read()];
      if (round === 0) continue; // warms up
      it.commits.push(commits);
      it.reads.push(read);
    }
  }
  const figures = loaded.map(({ kind, loadMs, loadBytes, commits, reads }): [Kind, Figures] => [
    kind,
    { loadMs, loadBytes, commitsPerSecond: median(commits), readMs: median(reads) },
  ]);
  console.log(JSON.stringify(Object.fromEntries(figures)));
  process.exit(0);
}

async function load(kind: Kind, dir: string) {
  const [from, before] = [performance.now(), process.memoryUsage.rss()];
  const module = await moduleOf(kind);
  new module.DatabaseSync(":memory:").close();
  const [loadMs, loadBytes] = [performance.now() - from, process.memoryUsage.rss() - before];
  const db = new module.DatabaseSync(path.join(dir, `${kind}.db`));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec("CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  const insert = db.prepare("INSERT INTO events (body) VALUES (?)");
  const text = JSON.stringify(eventOf(createdFact(1), 1));
  db.exec("BEGIN");
  for (let n = 0; n < ROWS; n++) insert.run(text);
  db.exec("COMMIT");
  const all = db.prepare(`SELECT body FROM events LIMIT ${ROWS}`);
  return {
    kind,
    loadMs,
    loadBytes,
    commits: [] as number[],
    reads: [] as number[],
    append: async () => insert.run(text),
    read() {
      const started = performance.now();
      for (const { body } of all.all() as { body: string }[]) if (body.length !== text.length) throw db;
      return performance.now() - started;
    },
  };
}

async function moduleOf(kind: Kind): Promise<Module> {
  if (kind === "built-in") return process.getBuiltinModule("node:sqlite") as unknown as Module;
  return (await import("@photostructure/sqlite")) as unknown as Module;
}
