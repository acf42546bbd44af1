/** What the tests of the log share: events, folders, built worker threads, and restarts that begin with a copy of the files. */
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll } from "vitest";
import { eventOf } from "../../src/adapters/audit/salted.ts";
import { loadDriver } from "../../src/adapters/sqlite/driver.ts";
import { realFiles } from "../../src/adapters/sqlite/files.ts";
import type { SqliteLogInput } from "../../src/adapters/sqlite/log.ts";
import { sqliteLog } from "../../src/adapters/sqlite/log.ts";
import type { Place } from "../../src/adapters/sqlite/place.ts";
import type { Append, Store } from "../../src/adapters/sqlite/store.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { openTip } from "../../src/adapters/sqlite/tip.ts";
import type { Event } from "../../src/core/model/events.ts";
import { streamOf } from "../../src/core/model/events.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import type { Log, Opened } from "../../src/ports.ts";

export { asked, askedRange, resolved, withdrawn } from "./log-events.ts";

const version = "1.2.3";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scratch: string[] = [];

afterAll(() => {
  for (const dir of scratch.splice(0)) fs.rmSync(dir, { recursive: true, force: true });
});

/** In memory if the system allows it: these tests restart hundreds of logs, and none of them cuts the power. */
export function tempDir(): string {
  const parent = fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir();
  const dir = fs.mkdtempSync(path.join(parent, "oj-log-"));
  scratch.push(dir);
  return dir;
}

/** Removes the folders created from here on, each time it is called: tests that create very many need the room. */
export function forgetting(): () => void {
  const kept = scratch.length;
  return () => {
    for (const dir of scratch.splice(kept)) fs.rmSync(dir, { recursive: true, force: true });
  };
}

/** A restart after a crash: the files as they are on disk, and no connection that still remembers anything. */
export function copyOf(dir: string): string {
  const copy = tempDir();
  // a log that is in use goes on meanwhile: what is written last is copied first, so that it promises too little
  const isTip = (name: string) => Number(name.endsWith(".tip"));
  for (const name of fs.readdirSync(dir).sort((a, b) => isTip(b) - isTip(a))) {
    const gone =
      name.endsWith("-shm") || (name.endsWith("-wal") && fs.statSync(path.join(dir, name)).size === 0);
    if (!gone) fs.copyFileSync(path.join(dir, name), path.join(copy, name));
  }
  return copy;
}

/** Everything a start would fold: the state, byte for byte. */
export async function stateOf(log: Log, opened: Opened): Promise<string> {
  const start = opened.snapshot === null ? undefined : decodeState(opened.snapshot.state);
  const state = replay(await log.read(opened.snapshot?.seq ?? 0, 1_000_000), start);
  return encodeState(state);
}

/** The store in this thread. Never opened twice on the same folder: see `copyOf`. */
export async function placeAt(dir: string): Promise<Place> {
  return { dir, version, driver: await loadDriver(), files: realFiles };
}

export function appendOf(events: Event[]): Append {
  return [events[0]?.seq ?? 0, events.map(streamOf), events.map((it) => JSON.stringify(it))];
}

/** A folder with these events in it that nobody has open. */
export async function writtenLog(events: Event[]): Promise<string> {
  const dir = tempDir();
  const store = openStore(await placeAt(dir));
  store.open(false);
  store.append([appendOf(events)]);
  store.close();
  return copyOf(dir);
}

/** What a process wrote beside the log if it died right after it acknowledged this event. */
export async function acknowledge(dir: string, seq: number): Promise<void> {
  openTip(await placeAt(dir), seq).close();
}

/** Events as a repair leaves them: a mark stands in place of each lost one. */
export function withLost(events: Event[], ...lost: number[]): Pick<Event, "seq" | "type">[] {
  return events.map((it) => (lost.includes(it.seq) ? { seq: it.seq, type: "log:lost" } : it));
}

/** The same, of a log that was read. */
export function lostAsSuch(events: Event[]): Pick<Event, "seq" | "type">[] {
  return events.map((it) => (it.type === "log:lost" ? { seq: it.seq, type: it.type } : it));
}

export function readAll(store: Store, after = 0): Event[] {
  return store.read(after, 1_000_000).bodies.map(eventOf);
}

export async function threadedLog(dir: string, workers?: Partial<SqliteLogInput["workers"]>): Promise<Log> {
  return sqliteLog({ dir, version, workers: { ...(await builtWorkers()), ...workers } });
}

let workers: Promise<SqliteLogInput["workers"]> | null = null;

/** The worker threads, bundled as in a release. */
export function builtWorkers(): Promise<SqliteLogInput["workers"]> {
  workers ??= buildWorkers(tempDir());
  return workers;
}

async function buildWorkers(dir: string): Promise<SqliteLogInput["workers"]> {
  const [store, snapshot] = await bundled(dir, ["sqlite/worker", "sqlite/snapshot-worker"]);
  return { store: store ?? "", snapshot: snapshot ?? "" };
}

/** Adapters as files that plain Node can load. */
export async function bundled(dir: string, names: string[]): Promise<string[]> {
  const sqlite = createRequire(import.meta.url).resolve("@photostructure/sqlite");
  await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `src/adapters/${name}.ts`, out: name })),
    outdir: dir,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
    plugins: [
      {
        name: "sqlite-stays-a-package",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^@photostructure\/sqlite$/ }, () => ({ path: sqlite, external: true })),
      },
    ],
  });
  return names.map((name) => path.join(dir, `${name}.cjs`));
}
