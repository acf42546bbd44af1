/** Rules that go with whatever happens to an id. */
import type { Event } from "../../core/model/events.ts";
import { idsOf } from "./hub.ts";
import type { Rule } from "./rulings.ts";

export interface Joined {
  /** Until the returned function is called. */
  add(id: string, rule: Rule): () => void;
  /** Those that these events concern, each once. */
  by(events: readonly Event[]): readonly Rule[];
}

export function startJoined(): Joined {
  const rules = new Map<string, Set<Rule>>();
  return {
    add(id, rule) {
      const all = rules.get(id) ?? new Set();
      rules.set(id, all.add(rule));
      return () => {
        all.delete(rule);
        if (all.size === 0 && rules.get(id) === all) rules.delete(id);
      };
    },
    by(events) {
      if (rules.size === 0) return [];
      return [...new Set(events.flatMap(idsOf).flatMap((id) => [...(rules.get(id) ?? [])]))];
    },
  };
}
