/** The contract of the log, passed by the real one and by the fake. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Refusal } from "../../src/core/model/errors.ts";
import type { Fact } from "../../src/core/model/events.ts";
import { CutOff, fakeLog } from "../fakes/fake-log.ts";
import { writeLog } from "../fakes/write-log.ts";
import { logContract } from "./log.contract.ts";
import { asked, tempDir, threadedLog } from "./log-support.ts";

logContract("SQLite", async () => {
  const dir = tempDir();
  let log = await threadedLog(dir);
  return {
    log,
    async restart() {
      await log.close();
      log = await threadedLog(dir);
      return log;
    },
  };
});

logContract("the fake", async () => {
  const log = fakeLog();
  return {
    log,
    async restart() {
      await log.close();
      return log;
    },
  };
});

logContract("the fake on a slow disk", async () => {
  const log = fakeLog();
  log.setDisk(async (events) => {
    for (let left = 3; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
    return events;
  });
  return {
    log,
    async restart() {
      await log.close();
      return log;
    },
  };
});

describe("the fake log", () => {
  it("has what the disk has of a write that was cut off, and goes on from there", async () => {
    const log = fakeLog();
    const left = [0, 1, 2];
    log.setDisk(async () => left.shift() ?? 1);
    await assert.rejects(writeLog(log, [asked(1), asked(2)]), CutOff);
    assert.deepEqual(log.committed(), []);
    await assert.rejects(writeLog(log, [asked(1), asked(2)]), { there: 1 });
    assert.deepEqual(log.committed(), [asked(1)]);
    await writeLog(log, [asked(2), asked(3)]);
    assert.equal((await log.open()).tip, 3);
  });

  it("fails once when told to", async () => {
    const log = fakeLog();
    log.failNext(new Refusal("store.full", "full"));
    await assert.rejects(writeLog(log, [asked(1)]), { code: "store.full" });
    await writeLog(log, [asked(1)]);
    assert.deepEqual(log.committed(), [asked(1)]);
  });

  it("delays commits until they are released", async () => {
    const log = fakeLog();
    log.hold();
    const turn = writeLog(log, [asked(1)]);
    await Promise.resolve();
    assert.deepEqual([log.held(), log.committed()], [1, []]);
    log.release();
    await turn;
    assert.deepEqual([log.held(), log.committed()], [0, [asked(1)]]);
  });

  it("decides again if somebody else wrote meanwhile", async () => {
    const log = fakeLog();
    log.hold();
    const handed: number[][] = [];
    const turn = log.turn(0, (news) => {
      handed.push(news.map((it) => it.seq));
      return [asked(1 + handed.flat().length)];
    });
    await new Promise((resolve) => setImmediate(resolve));
    const { seq: _, at_ms: __, ...fact } = asked(9);
    log.otherWrites(fact as Fact);
    log.release();
    await turn;
    assert.deepEqual(handed, [[], [1]]);
    assert.equal(log.committed().at(-1)?.seq, 2);
  });
});
