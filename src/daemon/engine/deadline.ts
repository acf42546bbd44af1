/** A wait that ends: at its time, or when the caller goes away. */
import { Refusal } from "../../core/model/errors.ts";
import type { Clock } from "../../ports.ts";

export interface Deadline {
  /** Aborted at the time or when the caller went. */
  abort: AbortSignal;
  passed(): boolean;
  /** Throws when the daemon stops. */
  check(): void;
  disarm(): void;
}

/** Ends at the time, when the caller goes away, or when the daemon stops, which is told as a refusal. */
export function deadline(
  clock: Clock,
  timeoutMs: number | null,
  caller: AbortSignal,
  stopping: AbortSignal,
): Deadline {
  const end = new AbortController();
  let passed = false;
  const gone = () => end.abort();
  for (const it of [caller, stopping]) {
    if (it.aborted) gone();
    it.addEventListener("abort", gone, { once: true });
  }
  const disarm = endAfter(clock, timeoutMs, () => {
    passed = true;
    end.abort();
  });
  return {
    abort: end.signal,
    passed: () => passed,
    check() {
      if (stopping.aborted) throw refuseStopping();
    },
    disarm() {
      disarm();
      for (const it of [caller, stopping]) it.removeEventListener("abort", gone);
    },
  };
}

/** Calls at the time, if there is one; the returned function disarms it. */
export function endAfter(clock: Clock, timeoutMs: number | null, call: () => void): () => void {
  // setTimeout takes at most 2^31 ms; a longer wait is a wait without end for whoever holds a connection
  return timeoutMs === null || timeoutMs > 2_147_000_000 ? () => {} : clock.after(timeoutMs, call);
}

export function refuseStopping(): Refusal {
  return new Refusal("daemon.stopping", "the daemon is stopping", "try again in a moment");
}
