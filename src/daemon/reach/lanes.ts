/**
 * One lane for each channel: a few messages at a time, and none while the service asked for a pause. Other channels go on
 * meanwhile.
 */
import type { Clock } from "../../ports.ts";

export interface Lane {
  /** Rejects with `Stopped` if the lane is closed before its turn. */
  run<T>(call: () => Promise<T>): Promise<T>;
  pause(ms: number): void;
  close(): void;
}

export class Stopped extends Error {}

const AT_ONCE = 4;

export function lane(clock: Clock): Lane {
  const queue: { begin: () => void; refuse: (error: Error) => void }[] = [];
  let running = 0;
  let until = 0;
  let closed = false;
  let disarm: (() => void) | null = null;

  function go(): void {
    const left = until - clock.monotonic();
    if (left > 0) {
      if (queue.length > 0) disarm ??= clock.after(left, resume);
      return;
    }
    while (running < AT_ONCE) {
      const next = queue.shift();
      if (!next) return;
      running++;
      next.begin();
    }
  }

  function resume(): void {
    disarm = null;
    go();
  }

  return {
    async run(call) {
      await new Promise<void>((begin, refuse) => {
        if (closed) return refuse(new Stopped());
        queue.push({ begin, refuse });
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
    close() {
      closed = true;
      disarm?.();
      for (const { refuse } of queue.splice(0)) refuse(new Stopped());
    },
  };
}
