/** A wait that ends: at its time, or when the caller goes away. */
import { Refusal } from "../core/errors.ts";
import type { Clock } from "./ports.ts";

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
  // setTimeout takes at most 2^31 ms; a longer wait is a wait without end for whoever holds a connection
  const disarm =
    timeoutMs === null || timeoutMs > 2_147_000_000
      ? () => {}
      : clock.after(timeoutMs, () => {
          passed = true;
          end.abort();
        });
  return {
    abort: end.signal,
    passed: () => passed,
    check() {
      if (stopping.aborted)
        throw new Refusal("daemon.stopping", "the daemon is stopping", "try again in a moment");
    },
    disarm() {
      disarm();
      for (const it of [caller, stopping]) it.removeEventListener("abort", gone);
    },
  };
}
