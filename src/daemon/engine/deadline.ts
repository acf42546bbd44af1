/** A wait that ends: when its time is up, or when the caller goes away. */
import { Refusal } from "../../core/model/errors.ts";
import type { Clock } from "../../ports.ts";

export interface Deadline {
  /** Aborted when the time is up or the caller went away. */
  abort: AbortSignal;
  passed(): boolean;
  /** Throws if the daemon is stopping. */
  check(): void;
  disarm(): void;
}

/** Ends when the time is up, the caller goes away, or the daemon stops, which `check` reports as a refusal. */
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

/** Calls when the time is up, if there is a limit. The returned function disarms it. */
export function endAfter(clock: Clock, timeoutMs: number | null, call: () => void): () => void {
  // setTimeout takes at most 2^31 ms; for whoever keeps a connection open, a longer wait is endless
  return timeoutMs === null || timeoutMs > 2_147_000_000 ? () => {} : clock.after(timeoutMs, call);
}

export function refuseStopping(): Refusal {
  return new Refusal("daemon.stopping", "the daemon is stopping", "try again in a moment");
}
