/** Writes events to a log as a daemon would that has decided on nothing else. */
import type { Event } from "../../src/core/model/events.ts";
import type { Log } from "../../src/ports.ts";

export function writeLog(log: Pick<Log, "turn">, events: readonly Event[]): Promise<void> {
  return log.turn((events[0]?.seq ?? 1) - 1, () => events);
}
