import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { startTimers } from "./timers.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("a timer", () => {
  const set = (until = 1000) => {
    const clock = fakeClock();
    const from = clock.now();
    let rang = 0;
    const disarm = startTimers(clock).set(from, from + until, () => rang++);
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

  it("of thirty days rings on its day, and not at once", () => {
    const { clock, rang } = set(30 * DAY);
    clock.pass(30 * DAY - 1);
    assert.equal(rang(), 0);
    clock.pass(1);
    assert.equal(rang(), 1);
  });

  it("rings within half a minute if the clock was set forward past it, or the machine has slept", () => {
    const { clock, rang } = set(HOUR);
    clock.jump(2 * HOUR);
    clock.pass(30_000);
    assert.equal(rang(), 1);
  });

  it("does not wait longer if the clock was set back", () => {
    const { clock, rang } = set(60_000);
    clock.jump(-HOUR);
    clock.pass(60_000);
    assert.equal(rang(), 1);
  });

  it("that is set again after a restart counts the time that has passed", () => {
    const clock = fakeClock();
    let rang = 0;
    startTimers(clock).set(clock.now() - 900, clock.now() + 100, () => rang++);
    clock.pass(100);
    assert.equal(rang, 1);
  });

  it("that is set after a restart with the clock set back waits no longer than its whole length", () => {
    const clock = fakeClock();
    let rang = 0;
    startTimers(clock).set(clock.now() + HOUR, clock.now() + HOUR + 1000, () => rang++);
    clock.pass(1000);
    assert.equal(rang, 1);
  });

  it("stays silent when it is disarmed", () => {
    const { clock, disarm, rang } = set();
    disarm();
    clock.pass(5000);
    assert.equal(rang(), 0);
  });
});

describe("timers", () => {
  it("that are overdue after a sleep ring once each, in order of their times", () => {
    const clock = fakeClock();
    const timers = startTimers(clock);
    const now = clock.now();
    const rang: number[] = [];
    for (const minute of [50, 10, 40, 20, 30]) {
      timers.set(now, now + minute * 60_000, () => rang.push(minute));
    }
    clock.jump(12 * HOUR);
    clock.pass(30_000);
    assert.deepEqual(rang, [10, 20, 30, 40, 50]);
    clock.pass(DAY);
    assert.equal(rang.length, 5);
    assert.equal(timers.size(), 0);
  });

  it("of which one sets another and disarms a third", () => {
    const clock = fakeClock();
    const timers = startTimers(clock);
    const now = clock.now();
    const rang: string[] = [];
    const third = timers.set(now, now + 2000, () => rang.push("third"));
    timers.set(now, now + 1000, () => {
      third();
      timers.set(clock.now(), clock.now() + 500, () => rang.push("another"));
    });
    clock.pass(5000);
    assert.deepEqual(rang, ["another"]);
  });

  it("have one timeout, however many they are, and let others have their turn", () => {
    const clock = fakeClock();
    let armed = 0;
    let turns = 0;
    const after = (ms: number, call: () => void) => {
      armed += 1;
      const disarm = clock.after(ms, () => {
        armed -= 1;
        turns += 1;
        call();
      });
      return () => {
        armed -= 1;
        disarm();
      };
    };
    const timers = startTimers({ ...clock, after });
    const now = clock.now();
    let rang = 0;
    for (let at = 0; at < 2000; at++) timers.set(now, now + 1000 + (at % 7), () => rang++);
    assert.equal(armed, 1);
    clock.jump(HOUR);
    clock.pass(30_000);
    assert.equal(rang, 2000);
    assert.ok(turns >= 4, `${turns} turns`);
  });

  it("stay silent once they are stopped", () => {
    const clock = fakeClock();
    const timers = startTimers(clock);
    let rang = 0;
    timers.set(clock.now(), clock.now() + 1000, () => rang++);
    timers.stop();
    timers.set(clock.now(), clock.now() + 1000, () => rang++);
    clock.pass(HOUR);
    assert.equal(rang, 0);
  });
});
