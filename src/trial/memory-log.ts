/** The port `Log` for a job that is only played: events in memory, written by one engine. */
import type { Event } from "../core/model/events.ts";
import type { Log } from "../ports.ts";

export interface MemoryLog extends Log {
  events(): readonly Event[];
}

export function memoryLog(): MemoryLog {
  const events: Event[] = [];
  const page = async (after: number, limit: number) => events.slice(after, after + limit);
  return {
    events: () => events,
    open: async () => ({
      snapshot: null,
      tip: events.length,
      first: 1,
      damage: null,
      machine: null,
      skipped: [],
    }),
    read: page,
    look: page,
    verify: async () => null,
    find: async (after, limit) => ({ events: await page(after, limit), last: null }),
    async turn(after, decide) {
      events.push(...decide(events.slice(after), null));
    },
    follow: () => () => {},
    machines: async () => [],
    banish: async () => {},
    leaving: () => () => {},
    scour: async () => {},
    snapshot: async () => {},
    compact: async () => 0,
    close: async () => {},
  };
}
