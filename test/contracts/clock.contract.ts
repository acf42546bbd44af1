/** What every `Clock` keeps to. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Clock } from "../../src/ports.ts";

/** A machine counts in whole milliseconds. */
const ROUNDED_MS = 2;

export interface ClockUnderTest {
  clock: Clock;
  /** At least that much time passes. */
  pass(ms: number): Promise<void>;
}

export function clockContract(name: string, make: () => ClockUnderTest): void {
  describe(`${name} as a clock`, () => {
    it("calls once, after that time, and never before its caller has gone on", async () => {
      const { clock, pass } = make();
      let called = 0;
      clock.after(20, () => (called += 1));
      clock.after(0, () => (called += 10));
      assert.equal(called, 0);
      await pass(60);
      assert.equal(called, 11);
      await pass(60);
      assert.equal(called, 11);
    });

    it("calls nothing that was disarmed, and disarming late does no harm", async () => {
      const { clock, pass } = make();
      let called = 0;
      const disarm = clock.after(10, () => (called += 1));
      const late = clock.after(10, () => (called += 10));
      disarm();
      disarm();
      await pass(40);
      assert.equal(called, 10);
      late();
    });

    it("calls in the order of the times, also what is armed meanwhile", async () => {
      const { clock, pass } = make();
      const called: { name: string; due: number }[] = [];
      const arm = (ms: number, name: string, then = () => {}) => {
        const due = clock.monotonic() + ms;
        clock.after(ms, () => {
          called.push({ name, due });
          then();
        });
      };
      arm(60, "last");
      arm(10, "first", () => arm(10, "then")); // on a busy machine, "then" may be due after "last"
      await pass(200);
      while (called.length < 3) await pass(10);
      assert.equal(called[0]?.name, "first");
      for (const [at, { due }] of called.slice(1).entries())
        assert.ok(due > (called[at]?.due ?? 0) - ROUNDED_MS, JSON.stringify(called));
    });

    it("goes forward as time passes", async () => {
      const { clock, pass } = make();
      const [wall, monotonic] = [clock.now(), clock.monotonic()];
      await pass(30);
      assert.ok(clock.monotonic() - monotonic >= 29, `${clock.monotonic() - monotonic} ms`);
      assert.ok(clock.now() - wall >= 29, `${clock.now() - wall} ms`);
    });
  });
}
