/** Daemons that stand still or are killed while they write, as processes of their own. */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, it, onTestFinished } from "vitest";
import type { Log } from "../../src/ports.ts";
import { writeNext } from "../fakes/write-next.ts";
import { tempDir } from "./log-support.ts";
import { logAt, noPostgres, sharedServer } from "./postgres-support.ts";
import { until } from "./temp.ts";

const server = sharedServer();
let program = "";

beforeAll(async () => {
  program = path.join(tempDir(), "writer.cjs");
  const root = fileURLToPath(new URL("../..", import.meta.url));
  await build({
    absWorkingDir: root,
    entryPoints: ["test/contracts/postgres-writer.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
  });
});

interface Writer {
  child: ChildProcess;
  /** What was acknowledged to it, by id. */
  acknowledged: string[];
}

function startWriter(url: string, name: string): Writer {
  const child = spawn(process.execPath, [program, url, name], { stdio: ["ignore", "pipe", "inherit"] });
  const acknowledged: string[] = [];
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    acknowledged.push(...lines.filter((it) => !it.startsWith("refused")));
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return { child, acknowledged };
}

/** Writes here; returns how long that took. */
async function write(log: Log, at: { seen: number }, id: string): Promise<number> {
  const began = performance.now();
  await writeNext(log, at, `dec-${id}`);
  return performance.now() - began;
}

async function everything(log: Log): Promise<string[]> {
  const events = await log.read(0, 1_000_000);
  assert.deepEqual(
    events.map((it) => it.seq),
    events.map((_, n) => n + 1),
  );
  return events.map((it) => (it as { id: string }).id);
}

describe.skipIf(noPostgres !== null)("a daemon", () => {
  it("that is stopped for longer than every limit goes on as if nothing had been, and writes nothing twice", async () => {
    const url = await server().database();
    const log = logAt(url);
    onTestFinished(() => log.close());
    const at = { seen: (await log.open()).tip };
    const { child, acknowledged } = startWriter(url, "stopped");
    for (let round = 0; round < 2; round++) {
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 5);
      child.kill("SIGSTOP");
      const began = performance.now();
      const waits: number[] = [];
      while (performance.now() - began < 6500)
        waits.push(await write(log, at, `here-${round}-${waits.length}`));
      const longest = Math.max(...waits);
      assert.ok(longest < 20_000, `somebody waited ${Math.round(longest)} ms`);
      child.kill("SIGCONT");
    }
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 5);
    child.kill("SIGKILL");
    await once(child, "close");
    const ids = await everything(log);
    assert.equal(new Set(ids).size, ids.length, "something is in the log twice");
    for (const id of acknowledged) assert.ok(ids.includes(id), `${id} was acknowledged and is not there`);
  });

  it("that is killed, again and again, takes nothing acknowledged with it, and holds nobody up", async () => {
    const url = await server().database();
    const log = logAt(url);
    onTestFinished(() => log.close());
    const at = { seen: (await log.open()).tip };
    const acknowledged: string[] = [];
    const waits: number[] = [];
    for (let round = 0; round < 10; round++) {
      const writer = startWriter(url, `killed${round}`);
      await until(() => writer.acknowledged.length > round);
      const closed = once(writer.child, "close");
      writer.child.kill("SIGKILL");
      waits.push(await write(log, at, `after-${round}`));
      await closed;
      acknowledged.push(...writer.acknowledged);
    }
    assert.ok(Math.max(...waits) < 20_000, `somebody waited ${Math.round(Math.max(...waits))} ms`);
    const ids = await everything(log);
    assert.equal(new Set(ids).size, ids.length, "something is in the log twice");
    for (const id of acknowledged) assert.ok(ids.includes(id), `${id} was acknowledged and is not there`);
  });
});

describe.skipIf(noPostgres !== null)("PostgreSQL", () => {
  it("that is killed, again and again, loses nothing acknowledged, and is written to once it is back", async () => {
    const url = await server().database();
    const log = logAt(url);
    onTestFinished(() => log.close());
    const at = { seen: (await log.open()).tip };
    const writer = startWriter(url, "other");
    const mine: string[] = [];
    for (let round = 0; round < 5; round++) {
      await until(() => writer.acknowledged.length > round * 3);
      const writing = write(log, at, `${round}`).then(
        () => mine.push(`dec-${round}`),
        () => undefined, // it may be away for longer than a write waits
      );
      await server().kill();
      await server().start();
      await writing;
      await write(log, at, `back-${round}`);
      mine.push(`dec-back-${round}`);
    }
    writer.child.kill("SIGKILL");
    await once(writer.child, "close");
    const ids = await everything(log);
    assert.equal(new Set(ids).size, ids.length, "something is in the log twice");
    for (const id of [...mine, ...writer.acknowledged]) assert.ok(ids.includes(id), `${id} is not there`);
    assert.equal(await log.verify(), null);
  });
});
