/**
 * One lane for each channel: a few messages at a time, and none while the service asked for a pause. Other channels go on
 * meanwhile. What settles a message overtakes new ones, which may have to wait for the pace that a service allows.
 */
import type { Clock } from "../../ports.ts";

export interface Lane {
  /** Rejects with `Stopped` if the lane is closed before its turn. */
  run<T>(call: () => Promise<T>, overtakes?: boolean): Promise<T>;
  pause(ms: number): void;
  /** Ends a pause. */
  resume(): void;
  close(): void;
}

export class Stopped extends Error {}

const AT_ONCE = 4;
const AT_ONCE_IN_ALL = 8;

export function lane(clock: Clock, atOnce = AT_ONCE, atOnceInAll = AT_ONCE_IN_ALL): Lane {
  const queue: { begin: () => void; refuse: (error: Error) => void; overtakes: boolean }[] = [];
  let running = 0;
  let until = 0;
  let closed = false;
  let disarm: (() => void) | null = null;

  function go(): void {
    const left = until - clock.monotonic();
    if (left > 0) {
      if (queue.length > 0) disarm ??= clock.after(left, goOn);
      return;
    }
    while (queue[0] && running < (queue[0].overtakes ? atOnceInAll : atOnce)) {
      const next = queue.shift();
      if (!next) return;
      running++;
      next.begin();
    }
  }

  function goOn(): void {
    disarm = null;
    go();
  }

  return {
    async run(call, overtakes = false) {
      await new Promise<void>((begin, refuse) => {
        if (closed) return refuse(new Stopped());
        const behind = overtakes ? queue.findIndex((it) => !it.overtakes) : -1;
        queue.splice(behind < 0 ? queue.length : behind, 0, { begin, refuse, overtakes });
        go();
      });
      try {
        return await call();
      } finally {
        running--;
        go();
      }
    },
    pause(ms) {
      until = Math.max(until, clock.monotonic() + ms);
      disarm?.();
      disarm = null;
      go();
    },
    resume() {
      until = 0;
      disarm?.();
      disarm = null;
      go();
    },
    close() {
      closed = true;
      disarm?.();
      for (const { refuse } of queue.splice(0)) refuse(new Stopped());
    },
  };
}
