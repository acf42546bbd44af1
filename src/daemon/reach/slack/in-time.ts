/** Slack waits three seconds, never longer. */
import type { Clock } from "../../../ports.ts";

export function inTime<T>(call: Promise<T>, ms: number, clock: Clock): Promise<T | "late"> {
  return new Promise((resolve, reject) => {
    const disarm = clock.after(ms, () => resolve("late"));
    call.then(resolve, reject).finally(disarm);
  });
}
