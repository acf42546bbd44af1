/** A wait that ends: at its time, or when the caller goes away. */
import type { Clock } from "./ports.ts";

export interface Deadline {
  /** Aborted at the time or when the caller went. */
  abort: AbortSignal;
  passed(): boolean;
  disarm(): void;
}

export function deadline(clock: Clock, timeoutMs: number | null, caller: AbortSignal): Deadline {
  const end = new AbortController();
  let passed = false;
  const gone = () => end.abort();
  if (caller.aborted) gone();
  caller.addEventListener("abort", gone, { once: true });
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
    disarm() {
      disarm();
      caller.removeEventListener("abort", gone);
    },
  };
}
