import assert from "node:assert/strict";
import fs from "node:fs/promises";
import path from "node:path";
import { describe, it } from "vitest";
import { fileJournal } from "../../src/adapters/file-journal.ts";
import { jobFiles } from "../../src/adapters/job-files.ts";
import { tempFolder, until } from "./temp.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const forever = new AbortController().signal;

async function all(parts: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  for await (const part of parts) read.push(part);
  return Buffer.concat(read).toString();
}

describe("a job's output", () => {
  const make = async (maxBytes = 1_000_000) => {
    const dir = await tempFolder();
    return { dir, files: jobFiles({ dir, maxBytes, journal: silent }) };
  };

  it("is kept in order and read whole or by its last lines", async () => {
    const { files } = await make();
    await Promise.all(["one\n", "two\n", "three\n"].map((it) => files.write("job-1", it)));
    const read = (lines: number | null) => all(files.read("job-1", { lines, follow: false, abort: forever }));
    assert.equal(await read(null), "one\ntwo\nthree\n");
    assert.equal(await read(2), "two\nthree\n");
    assert.equal(await read(99), "one\ntwo\nthree\n");
    assert.equal(await read(0), "");
  });

  it("is followed until told otherwise", async () => {
    const { files } = await make();
    await files.write("job-1", "before\n");
    const stop = new AbortController();
    let seen = "";
    const following = (async () => {
      for await (const part of files.read("job-1", { lines: null, follow: true, abort: stop.signal }))
        seen += part;
    })();
    await until(() => seen === "before\n");
    await files.write("job-1", "after\n");
    await until(() => seen === "before\nafter\n");
    stop.abort();
    await following;
  });

  it("stays within its bound and keeps the newest", async () => {
    const { files, dir } = await make(1000);
    for (let n = 0; n < 200; n++) await files.write("job-1", `line ${n}\n`);
    const text = await all(files.read("job-1", { lines: null, follow: false, abort: forever }));
    assert.ok(text.length <= 1000);
    assert.match(text, /line 199\n$/);
    assert.equal((await fs.readdir(path.join(dir, "job-1"))).length, 2);
  });

  it("of a job without any is empty", async () => {
    const { files } = await make();
    assert.equal(await all(files.read("job-9", { lines: null, follow: false, abort: forever })), "");
  });

  it("goes with the job, and so does its environment, which only its user may read", async () => {
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
  it("has one JSON line each, from its level on, and rotates by size", async () => {
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
