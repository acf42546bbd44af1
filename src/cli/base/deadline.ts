/** How long somebody is willing to wait. Measured by elapsed time, not by the wall clock, which somebody may set. */
import { formatDuration, parseDuration } from "../../core/text/duration.ts";
import { usage } from "./fail.ts";

/** A moment on the monotonic clock, in milliseconds; null means forever. */
export type Deadline = { at: number; text: string } | null;

/** Longer timers overflow in Node and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Reads the value of `--timeout`. */
export function deadlineOf(timeout: string | undefined): Deadline {
  if (timeout === undefined) return null;
  const ms = parseDuration(timeout);
  if (ms === null) throw usage(`"${timeout}" is not a duration`, "write it as 30s, 5m or 1h30m");
  return deadlineAfter(ms);
}

export function deadlineAfter(ms: number): NonNullable<Deadline> {
  return { at: performance.now() + ms, text: formatDuration(ms) };
}

/** Whether it has passed, or will have within `slackMs`. */
export function isOver(deadline: Deadline, slackMs = 0): boolean {
  return deadline !== null && performance.now() + slackMs >= deadline.at;
}

/** Milliseconds left, as many as one timer can take. */
export function timeLeft(deadline: NonNullable<Deadline>): number {
  return Math.min(Math.max(0, Math.ceil(deadline.at - performance.now())), LONGEST_TIMER_MS);
}
