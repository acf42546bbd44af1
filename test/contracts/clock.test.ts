/** The clock's contract, kept by the machine's and by the fake. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { fakeClock } from "../fakes/fake-clock.ts";
import { clockContract } from "./clock.contract.ts";

clockContract("the machine's", () => ({
  clock: systemClock,
  pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 5)),
}));

clockContract("the fake", () => {
  const clock = fakeClock();
  return { clock, pass: async (ms) => clock.pass(ms) };
});

describe("the fake clock", () => {
  it("is set as a person or NTP would, and no time passes by that", () => {
    const clock = fakeClock();
    let called = 0;
    clock.after(10, () => (called += 1));
    const [wall, monotonic] = [clock.now(), clock.monotonic()];
    clock.jump(-60_000);
    assert.deepEqual([clock.now() - wall, clock.monotonic() - monotonic, called], [-60_000, 0, 0]);
  });
});
