import assert from "node:assert/strict";
import { it, onTestFinished, vi } from "vitest";
import { systemClock } from "./clock.ts";

const DAY_MS = 86_400_000;

it("waits for longer than a timeout can take, or until it is disarmed", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const called: string[] = [];
  systemClock.after(60 * DAY_MS, () => called.push("after 60 days"));
  systemClock.after(Number.POSITIVE_INFINITY, () => called.push("never"));
  const disarm = systemClock.after(60 * DAY_MS, () => called.push("disarmed"));
  vi.advanceTimersByTime(59 * DAY_MS);
  assert.deepEqual(called, []);
  disarm();
  vi.advanceTimersByTime(DAY_MS);
  assert.deepEqual(called, ["after 60 days"]);
});
