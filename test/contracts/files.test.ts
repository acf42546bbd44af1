import assert from "node:assert/strict";
import fs from "node:fs/promises";
import path from "node:path";
import { describe, it } from "vitest";
import { jobFiles } from "../../src/adapters/files/job-files.ts";
import { fileJournal } from "../../src/adapters/files/journal.ts";
import { fakeClock } from "../fakes/fake-clock.ts";
import { fakeFiles } from "../fakes/fake-files.ts";
import { forever } from "../fakes/forever.ts";
import { filesContract } from "./files.contract.ts";
import { tempFolder } from "./temp.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function all(parts: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  for await (const part of parts) read.push(part);
  return Buffer.concat(read).toString();
}

const make = async (maxBytes = 1_000_000) => {
  const dir = await tempFolder();
  return { dir, files: jobFiles({ dir, maxBytes, journal: silent }) };
};

filesContract("on disk", async () => ({ ...(await make()), later_ms: () => Date.now() + 60_000 }));
filesContract("the fake", async () => {
  const clock = fakeClock();
  return { files: fakeFiles(clock), later_ms: () => clock.now() + 1 };
});

describe("a job's output", () => {
  it("stays within its limit and keeps the newest part", async () => {
    const { files, dir } = await make(1000);
    for (let n = 0; n < 200; n++) await files.write("job-1", `line ${n}\n`);
    const text = await all(files.read("job-1", { lines: null, follow: false, abort: forever }));
    assert.ok(text.length <= 1000);
    assert.match(text, /line 199\n$/);
    assert.equal((await fs.readdir(path.join(dir, "job-1"))).length, 2);
  });

  it("is removed with the job, and so is its environment, which only its user may read", async () => {
    const { files, dir } = await make();
    await files.saveEnv("job-1", { SECRET: "x" });
    assert.equal((await fs.stat(path.join(dir, "job-1/env.json"))).mode & 0o777, 0o600);
    assert.deepEqual(await files.loadEnv("job-1"), { SECRET: "x" });
    await files.write("job-1", "x");
    await files.purge("job-1");
    assert.deepEqual(await fs.readdir(dir), []);
    assert.equal(await files.loadEnv("job-1"), null);
  });
});

describe("the daemon's log", () => {
  it("has one JSON line per entry, from its level up, and rotates by size", async () => {
    const file = path.join(await tempFolder(), "daemon.log");
    const journal = fileJournal({ file, level: "info", maxBytes: 500, keep: 2, now: () => 1 });
    journal.debug("not this");
    journal.info("hello", { who: "x" });
    await journal.close();
    assert.deepEqual(JSON.parse((await fs.readFile(file, "utf8")).trim()), {
      at_ms: 1,
      level: "info",
      message: "hello",
      who: "x",
    });
    for (let n = 0; n < 40; n++) {
      journal.warn(`line ${n}`);
      await journal.close();
    }
    const names = (await fs.readdir(path.dirname(file))).sort();
    assert.deepEqual(names, ["daemon.log", "daemon.log.1", "daemon.log.2"]);
    assert.match(await fs.readFile(file, "utf8"), /line 39/);
  });
});
