import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Refusal } from "../core/model/errors.ts";
import { askingSince, patiently } from "./patience.ts";

/** A look every so many milliseconds; how many there are until it is over. */
function looksAt(everyMs: number): { looks: number; ms: number } {
  let ms = 0;
  const isOver = askingSince(0, () => ms);
  for (let looks = 1; ; looks++) {
    ms += everyMs;
    if (isOver()) return { looks, ms };
  }
}

describe("the patience of a request", () => {
  it("ends after 20 seconds", () => {
    assert.deepEqual(looksAt(200), { looks: 100, ms: 20_000 });
  });

  it("lasts longer on a machine that is too busy to look often", () => {
    assert.deepEqual(looksAt(1000), { looks: 40, ms: 40_000 });
  });

  it("ends after two minutes, however seldom it could look", () => {
    assert.deepEqual(looksAt(30_000), { looks: 4, ms: 120_000 });
  });

  describe("while a daemon is not there", () => {
    const gone = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
    const refused = (
      code: "daemon.unreachable" | "daemon.stopping" | "server.unreachable",
      reason?: string,
    ) => new Refusal(code, "not there", null, reason ? { reason } : null);
    /** How long it waits before each of seven looks, and how often the call was made. */
    const waits = async (error: Error, isAfar: boolean) => {
      const pauses: number[] = [];
      let calls = 0;
      const fail = async () => {
        throw error;
      };
      const call = async () => {
        calls += 1;
        throw error;
      };
      const pause = async (ms: number) => void pauses.push(ms);
      const isOver = () => pauses.length >= 7;
      await assert.rejects(patiently({ health: fail, isOver, isAfar, pause }, call), error);
      return { pauses, calls };
    };
    const seldom = [200, 400, 800, 1600, 3200, 5000, 5000];

    for (const code of ["daemon.unreachable", "daemon.stopping"] as const)
      it(`looks less and less often for one behind another machine's door (${code})`, async () => {
        assert.deepEqual(await waits(refused(code), true), { pauses: seldom, calls: 1 });
      });

    it("does the same where the door itself is away", async () => {
      assert.deepEqual(await waits(refused("server.unreachable", "away"), true), {
        pauses: seldom,
        calls: 1,
      });
    });

    it("calls one that died here, which starts it; and waits for one that was stopped", async () => {
      const died = await waits(gone("ECONNREFUSED"), false);
      assert.deepEqual([died.pauses, died.calls], [Array(7).fill(200), 8]);
      assert.equal((await waits(refused("daemon.unreachable"), false)).calls, 8);
      const stopped = Object.assign(gone("ENOENT"), { syscall: "connect" });
      assert.equal((await waits(stopped, false)).calls, 1);
    });
  });

  it("throws what happened last", async () => {
    const lost = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    let calls = 0;
    const call = async () => {
      calls += 1;
      throw lost;
    };
    const health = async () => assert.fail("the daemon is not asked once it is over");
    await assert.rejects(patiently({ health, isOver: () => calls === 1 }, call), lost);
    assert.equal(calls, 1);
  });
});
