/** The contract of the log, passed by the real one and by the fake. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Refusal } from "../../src/core/model/errors.ts";
import { fakeLog } from "../fakes/fake-log.ts";
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

describe("the fake log", () => {
  it("fails or conflicts once when told to", async () => {
    const log = fakeLog();
    log.failNext(new Refusal("store.full", "full"));
    log.conflictNext("dec-9");
    const append = () => log.append([asked(1)], { after: 0, streams: [] });
    await assert.rejects(append(), { code: "store.full" });
    await assert.rejects(append(), { stream: "dec-9" });
    await append();
    assert.deepEqual(log.committed(), [asked(1)]);
  });

  it("delays commits until they are released", async () => {
    const log = fakeLog();
    log.hold();
    const append = log.append([asked(1)], { after: 0, streams: [] });
    await Promise.resolve();
    assert.deepEqual([log.held(), log.committed()], [1, []]);
    log.release();
    await append;
    assert.deepEqual([log.held(), log.committed()], [0, [asked(1)]]);
  });
});
