/** What is left of events whose texts are about to be erased, until the event that erases them is written. */
import type { Remnant } from "../../core/control/erase.ts";
import type { Event } from "../../core/model/events.ts";

export interface RemnantsToLeave {
  add(remnants: readonly Remnant[]): () => void;
  /** What these events leave of others; throws if that is not known here. */
  of(events: readonly Event[]): Remnant[];
}

export function remnantsToLeave(): RemnantsToLeave {
  const waiting = new Set<readonly Remnant[]>();
  return {
    add(remnants) {
      waiting.add(remnants);
      return () => void waiting.delete(remnants);
    },
    of: (events) =>
      events.flatMap((event) => {
        if (event.type !== "audit:erased") return [];
        const known = [...waiting].flat();
        return event.records.map(({ seq, sha256 }) => {
          const found = known.find((it) => it.seq === seq && it.sha256 === sha256);
          if (found === undefined) throw new Error(`what is left of event ${seq} is not known`);
          return found;
        });
      }),
  };
}
