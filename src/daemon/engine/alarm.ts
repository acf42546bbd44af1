/** A timer that stays right when the machine is suspended or the clock is set forward or back. */
import type { Clock } from "../../ports.ts";

/** Long waits are checked again this often, because timers stand still while a machine sleeps. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Calls once when the wall clock reaches `until`, or when as much time has passed as lay between `from` and `until`,
 * whichever comes first. The second limit is for a clock that was set back. Returns a function that disarms it.
 */
export function alarm(clock: Clock, from: number, until: number, call: () => void): () => void {
  const length = Math.max(0, until - from);
  const passed = Math.max(0, clock.now() - from);
  const deadline = clock.monotonic() + Math.max(0, length - passed);
  let disarm = () => {};
  const look = () => {
    const left = Math.min(until - clock.now(), deadline - clock.monotonic());
    if (left <= 0) call();
    else disarm = clock.after(Math.min(left, LOOK_AGAIN_MS), look);
  };
  disarm = clock.after(
    Math.max(0, Math.min(until - clock.now(), deadline - clock.monotonic(), LOOK_AGAIN_MS)),
    look,
  );
  return () => disarm();
}
