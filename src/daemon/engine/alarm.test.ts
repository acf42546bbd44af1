import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { alarm } from "./alarm.ts";

describe("an alarm", () => {
  const set = (until = 1000) => {
    const clock = fakeClock();
    const from = clock.now();
    let rang = 0;
    const disarm = alarm(clock, from, from + until, () => rang++);
    return { clock, disarm, rang: () => rang };
  };

  it("rings at its time, once", () => {
    const { clock, rang } = set();
    clock.pass(999);
    assert.equal(rang(), 0);
    clock.pass(1);
    assert.equal(rang(), 1);
    clock.pass(100_000);
    assert.equal(rang(), 1);
  });

  it("rings at once if the clock was set forward past it, within half a minute", () => {
    const { clock, rang } = set(3_600_000);
    clock.jump(7_200_000);
    clock.pass(30_000);
    assert.equal(rang(), 1);
  });

  it("does not wait longer if the clock was set back", () => {
    const { clock, rang } = set(60_000);
    clock.jump(-3_600_000);
    clock.pass(60_000);
    assert.equal(rang(), 1);
  });

  it("that is set again after a restart counts the time that has passed", () => {
    const clock = fakeClock();
    let rang = 0;
    alarm(clock, clock.now() - 900, clock.now() + 100, () => rang++);
    clock.pass(100);
    assert.equal(rang, 1);
  });

  it("that is set after a restart with the clock set back waits no longer than its whole length", () => {
    const clock = fakeClock();
    let rang = 0;
    alarm(clock, clock.now() + 3_600_000, clock.now() + 3_601_000, () => rang++);
    clock.pass(1000);
    assert.equal(rang, 1);
  });

  it("stays silent when it is cancelled", () => {
    const { clock, disarm, rang } = set();
    disarm();
    clock.pass(5000);
    assert.equal(rang(), 0);
  });
});
