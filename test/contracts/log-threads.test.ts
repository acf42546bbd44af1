/** The log's threads: they may die, and they end. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { Refusal } from "../../src/core/model/errors.ts";
import type { Log } from "../../src/ports.ts";
import { writeLog } from "../fakes/write-log.ts";
import { asked, askedRange, builtWorkers, copyOf, tempDir, threadedLog } from "./log-support.ts";

describe("a thread that dies", () => {
  const deaths = { "by an error": "throw new Error('boom')", "at once": "process.exit(7)" };
  for (const [how, death] of Object.entries(deaths))
    it(`${how} fails the callers in flight, and the next one gets a new thread`, async () => {
      const dir = tempDir();
      const log = await threadedLog(dir, { store: await mortalWorker("request", death) });
      await log.open();
      await writeLog(log, [asked(1)]);
      const doomed = [append(log, 2, "dec-DEATH"), append(log, 3), append(log, 4)];
      for (const outcome of await Promise.allSettled(doomed)) assertFailed(outcome);
      await append(log, 2);
      assert.deepEqual(await log.read(0, 10), askedRange(1, 2));
      await log.close();
    });

  it("in the middle of a commit leaves nothing of it behind, and no lock", async () => {
    const dir = tempDir();
    const log = await threadedLog(dir, { store: await mortalWorker("commit", "process.exit(7)") });
    await log.open();
    await writeLog(log, [asked(1)]);
    assertFailed((await Promise.allSettled([append(log, 2, "dec-DEATH")]))[0]);
    await append(log, 2);
    assert.deepEqual(await log.read(0, 10), askedRange(1, 2));
    await log.close();
  });

  it("while making a snapshot fails only that snapshot", async () => {
    const dir = tempDir();
    const file = path.join(tempDir(), "dies.cjs");
    fs.writeFileSync(file, "process.exit(7)");
    const log = await threadedLog(dir, { snapshot: file });
    await log.open();
    await writeLog(log, [asked(1)]);
    await assert.rejects(log.snapshot(1), {
      code: "store.failed",
      message: /makes snapshots ended \(exit code 7\)/,
    });
    assert.equal(await log.compact(1), 0);
    await append(log, 2);
    await log.close();
  });

  it("because its file is missing is reported", async () => {
    const log = await threadedLog(tempDir(), { store: "/nowhere/worker.cjs" });
    await assert.rejects(log.open(), { code: "store.failed", message: /Cannot find module/ });
    await log.close();
  });
});

describe("the log's threads", () => {
  it("leave one closed file behind when they end", async () => {
    const dir = tempDir();
    const log = await threadedLog(dir);
    await log.open();
    await writeLog(log, askedRange(1, 5));
    const snapshot = log.snapshot(5);
    await log.close();
    await snapshot;
    assert.deepEqual(fs.readdirSync(dir).sort(), [
      "events.db",
      "events.tip",
      "machine-key",
      "snapshot-5.json",
    ]);
  });

  it("pass refusals on as refusals", async () => {
    const dir = tempDir();
    fs.writeFileSync(path.join(dir, "events.db"), "");
    const log = await threadedLog(dir);
    await assert.rejects(
      log.open(),
      (error) =>
        error instanceof Refusal &&
        error.code === "store.damaged" &&
        error.hint === "oj daemon start --repair",
    );
    await log.close();
  });

  it("accept appends while they compact", async () => {
    const dir = tempDir();
    const log = await threadedLog(dir);
    await log.open();
    await writeLog(log, askedRange(1, 12_000));
    await log.snapshot(12_000);
    const order: string[] = [];
    const compacting = log.compact(12_000).then((gone) => order.push(`forgot ${gone}`));
    await append(log, 12_001).then(() => order.push("appended"));
    await compacting;
    assert.deepEqual(order, ["appended", "forgot 12000"]);
    assert.deepEqual(await log.read(0, 10), [asked(12_001)]);
    await log.close();
  });

  it("report a repair that a crash interrupted once the next start completes it", async () => {
    const dir = tempDir();
    const before = await threadedLog(dir);
    await before.open();
    await writeLog(before, askedRange(1, 3));
    await before.close();
    fs.truncateSync(path.join(dir, "events.db"), 50);
    const log = await threadedLog(dir);
    const { damage } = await log.open({ repair: true });
    await log.close();
    fs.renameSync(path.join(dir, "events.db"), path.join(dir, "events.db.repaired-1-20260101T000000"));
    fs.renameSync(damage?.kept ?? "", path.join(dir, "events.db"));
    const next = await threadedLog(copyOf(dir));
    const opened = await next.open();
    assert.equal(opened.damage?.what, damage?.what);
    assert.match(opened.damage?.kept ?? "", /events\.db\.damaged-1-20260101T000000$/);
    await next.close();
  });
});

function append(log: Log, seq: number, id: `dec-${string}` = `dec-${seq}`): Promise<void> {
  return writeLog(log, [asked(seq, id)]);
}

function assertFailed(outcome: PromiseSettledResult<void> | undefined): void {
  assert.equal(outcome?.status, "rejected");
  assert.equal(outcome.reason.code, "store.failed");
  assert.match(outcome.reason.message, /The thread that writes the event log ended/);
}

/** The real worker, which dies of events about "dec-DEATH": when it receives them, or while it writes them. */
async function mortalWorker(when: "request" | "commit", death: string): Promise<string> {
  const { store } = await builtWorkers();
  const file = path.join(tempDir(), "mortal.cjs");
  const traps = {
    request: `
      const threads = require("node:worker_threads");
      const receive = threads.receiveMessageOnPort;
      threads.receiveMessageOnPort = (port) => {
        const next = receive(port);
        if (JSON.stringify(next ?? "").includes("dec-DEATH")) ${death};
        return next;
      };`,
    commit: `
      const zlib = require("node:zlib");
      const sum = zlib.crc32;
      zlib.crc32 = (text) => { // asked for between BEGIN and COMMIT
        if (String(text).includes("dec-DEATH")) ${death};
        return sum(text);
      };`,
  };
  fs.writeFileSync(file, `${traps[when]}\nrequire(${JSON.stringify(store)});`);
  return file;
}
