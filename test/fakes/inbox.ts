/** An inbox to press keys on: what comes out is remembered, time stands still unless it is moved. */
import type { DecisionBrief, DecisionView } from "../../src/api.ts";
import { briefOf } from "../../src/core/brief.ts";
import type { DecisionFact, Event } from "../../src/core/events.ts";

import { pressed } from "../../src/inbox/keys.ts";
import type { Effect, Inbox } from "../../src/inbox/model.ts";
import { emptyInbox } from "../../src/inbox/model.ts";
import type { Input } from "../../src/inbox/update.ts";
import { update } from "../../src/inbox/update.ts";

export interface Desk {
  inbox: Inbox;
  now: number;
  effects: Effect[];
  put(input: Input): void;
  /** Keys by name: `press("j", "1", "enter")`. */
  press(...keys: string[]): void;
  /** Reported by the daemon. */
  hear(...facts: DecisionFact[]): void;
}

/** With these decisions listed and loaded. */
export function desk(...decisions: DecisionView[]): Desk {
  const it: Desk = {
    inbox: emptyInbox(),
    now: 1000,
    effects: [],
    put(input) {
      const step = update(it.inbox, input, it.now);
      it.inbox = step.inbox;
      it.effects.push(...step.effects);
    },
    press(...keys) {
      for (const name of keys) {
        const key = pressed(name);
        if (key) it.put({ type: "key", key });
      }
    },
    hear(...facts) {
      const events = facts.map((fact, index) => ({ seq: index, at_ms: it.now, ...fact }) as Event);
      it.put({ type: "events", events });
    },
  };
  it.put({ type: "listed", briefs: decisions.map(brief) });
  for (const decision of decisions) it.put({ type: "loaded", decision });
  it.effects = [];
  return it;
}

export const brief = (decision: DecisionView): DecisionBrief => briefOf(decision);
