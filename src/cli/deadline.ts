/** Until when somebody is willing to wait. */
import { formatDuration, parseDuration } from "../core/duration.ts";
import { usage } from "./fail.ts";

/** A moment in milliseconds; null is for ever. */
export type Deadline = { at: number; text: string } | null;

/** Longer timers overflow in Node and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Reads the value of `--timeout`. */
export function deadlineOf(timeout: string | undefined, now: number): Deadline {
  if (timeout === undefined) return null;
  const ms = parseDuration(timeout);
  if (ms === null) throw usage(`"${timeout}" is no length of time`, "write it as 30s, 5m or 1h30m");
  return { at: now + ms, text: formatDuration(ms) };
}

export function isOver(deadline: Deadline, now: number): boolean {
  return deadline !== null && now >= deadline.at;
}

/** Milliseconds left, as much of it as one timer can take. */
export function timeLeft(deadline: NonNullable<Deadline>, now: number): number {
  return Math.min(Math.max(0, deadline.at - now), LONGEST_TIMER_MS);
}
