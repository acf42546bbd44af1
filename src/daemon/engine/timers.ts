/**
 * Every timer of the daemon in one sorted queue, with one armed timeout. They stay right when the machine is suspended
 * and when the clock is set forward or back: what is overdue happens once, in order.
 */
import type { Clock } from "../../ports.ts";
import type { Entry } from "./heap.ts";
import { Heap } from "./heap.ts";

/** The queue is looked at this often at least, because timeouts stand still while a machine sleeps. */
const LOOK_AGAIN_MS = 30_000;
/** So many happen in one go; then whatever else waits has its turn. */
const AT_ONCE = 500;

export interface Timers {
  /**
   * Calls once when the wall clock reaches `until`, or when as much time has passed as lay between `from` and `until`,
   * whichever comes first. The second limit is for a clock that was set back. Returns a function that disarms it.
   */
  set(from: number, until: number, call: () => void): () => void;
  size(): number;
  /** Disarms all of them, and sets no more. */
  stop(): void;
}

interface Timer {
  call: () => void;
  until: number;
  /** Its places in the two orders: by the wall clock, and by the time that has passed. */
  byWall?: Entry<Timer>;
  byTime?: Entry<Timer>;
}

export function startTimers(clock: Clock): Timers {
  const wall = new Heap<Timer>();
  const time = new Heap<Timer>();
  let disarm = () => {};
  let armedFor = Number.POSITIVE_INFINITY;
  let isLooking = false;
  let isStopped = false;

  function arm(): void {
    if (isLooking) return;
    const left = Math.min(
      (wall.first()?.at ?? Number.POSITIVE_INFINITY) - clock.now(),
      (time.first()?.at ?? Number.POSITIVE_INFINITY) - clock.monotonic(),
    );
    const wait = Math.max(0, Math.min(left, LOOK_AGAIN_MS));
    const at = clock.monotonic() + wait;
    if (wall.size === 0 || at >= armedFor) return;
    disarm();
    armedFor = at;
    disarm = clock.after(wait, look);
  }

  function look(): void {
    armedFor = Number.POSITIVE_INFINITY;
    isLooking = true;
    try {
      for (let count = 0; count < AT_ONCE; count++) {
        const timer = firstDue();
        if (!timer) break;
        drop(timer);
        timer.call();
      }
    } finally {
      isLooking = false;
      arm();
    }
  }

  function firstDue(): Timer | null {
    const byWall = wall.first();
    const byTime = time.first();
    const due = [
      ...(byWall && byWall.at <= clock.now() ? [byWall.item] : []),
      ...(byTime && byTime.at <= clock.monotonic() ? [byTime.item] : []),
    ];
    return due.sort((a, b) => a.until - b.until)[0] ?? null;
  }

  function drop(timer: Timer): void {
    if (timer.byWall) wall.remove(timer.byWall);
    if (timer.byTime) time.remove(timer.byTime);
  }

  return {
    set(from, until, call) {
      if (isStopped) return () => {};
      const length = Math.max(0, until - from);
      const passed = Math.max(0, clock.now() - from);
      const timer: Timer = { call, until };
      timer.byWall = wall.add(until, timer);
      timer.byTime = time.add(clock.monotonic() + Math.max(0, length - passed), timer);
      arm();
      return () => drop(timer);
    },
    size: () => wall.size,
    stop() {
      isStopped = true;
      disarm();
      wall.clear();
      time.clear();
    },
  };
}
