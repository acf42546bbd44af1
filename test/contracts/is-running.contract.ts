/** What every `isRunning` keeps to: it knows a process by its id and when it started, and says so if it can't tell. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Ports } from "../../src/ports.ts";

export interface RunningUnderTest {
  isRunning: Ports["isRunning"];
  /** Starts a process; `kill` returns once it has ended. */
  start(): Promise<{ name: string; kill(): Promise<void> }>;
}

export function isRunningContract(name: string, make: () => RunningUnderTest): void {
  describe(`whether a process runs: ${name}`, () => {
    it("knows it while it runs and once it has ended, and takes no other for it", async () => {
      const { isRunning, start } = make();
      const { name, kill } = await start();
      assert.equal(isRunning(name), true);
      assert.equal(isRunning(`${name}1`), false, "that started at another time");
      await kill();
      assert.equal(isRunning(name), false);
    });

    it("can't tell of what names no process and no start", () => {
      const { isRunning } = make();
      for (const name of ["", "x", "1", "1.", ".1", "../self.1"]) assert.equal(isRunning(name), null, name);
    });
  });
}
