/** An inbox to press keys on: it remembers its effects, and time stands still unless a test moves it. */

import type { DecisionBrief, DecisionView, FailedRun } from "../../src/api/api.ts";
import type { View } from "../../src/cli/watch/pane.ts";
import { briefOf } from "../../src/core/decision/brief.ts";
import type { DecisionFact, Event } from "../../src/core/model/events.ts";
import { loosened } from "../../src/core/model/fixed.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import { pressed } from "../../src/inbox/keys.ts";
import type { Effect, Inbox } from "../../src/inbox/model.ts";
import { emptyInbox } from "../../src/inbox/model.ts";
import type { Input } from "../../src/inbox/update.ts";
import { update } from "../../src/inbox/update.ts";
import { decision } from "./fake-client.ts";

export interface Desk {
  inbox: Inbox;
  now: number;
  effects: Effect[];
  put(input: Input): void;
  /** Keys by name: `press("j", "1", "enter")`. */
  press(...keys: string[]): void;
  /** The daemon reports these events. */
  hear(...facts: DecisionFact[]): void;
}

/** An inbox with these decisions listed, loaded and seen. */
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
  for (const decision of decisions) {
    it.put({ type: "loaded", decision });
    it.put({ type: "saw", id: decision.id, rest: 0 });
  }
  it.effects = [];
  return it;
}

/** The terminal's inbox as it opens: nothing scrolled, nothing unfolded. */
export const VIEW: View = {
  scroll: 0,
  isWhole: false,
  isUnfolded: false,
  starting: null,
  fleet: null,
  opened: new Set(),
};

export const brief = (decision: DecisionView): DecisionBrief => loosened<DecisionBrief>(briefOf(decision));

/** Somebody else's answer, from the web. */
export const answer = {
  chosen: 1,
  choices: [[1]],
  labels: ["Yes"],
  text: null,
  message: null,
  by: "ben",
  via: "web",
  resolved_at_ms: 1,
} as const;

export const about = (id: string) => ({ id: id as DecisionId, project: "shop" });

/** The daemon reports that somebody answered. */
export const resolved = (id: string) =>
  ({
    type: "decision:resolved",
    ...about(id),
    state: "resolved",
    action: { type: "answer" },
    ...answer,
  }) as never as DecisionFact;

/** The daemon reports that an answer is on hold for a moment. */
export const held = (id: string): DecisionFact =>
  ({
    type: "decision:held",
    ...about(id),
    given: { choices: [[1]], option: null, text: null, message: null },
    answer,
    release_at_ms: 9000,
  }) as never as DecisionFact;

export const A = decision({ id: "dec-aaaaaaaaaa", title: "Ship A?", created_at_ms: 1, source: "request" });
export const B = decision({ id: "dec-bbbbbbbbbb", title: "Ship B?", created_at_ms: 2, source: "request" });
export const C = decision({
  id: "dec-cccccccccc",
  title: "Ship C?",
  created_at_ms: 3,
  source: "request",
  urgency: "high",
});

/** A job that failed without asking anybody. */
export const failedRun = (more: Partial<FailedRun> = {}): FailedRun => ({
  ...{ id: "job-a1", project: "shop", name: "nightly", step: "build", error: "exit code 2", exit_code: 2 },
  ...{ tail: "make: *** Error 2", agent_id: null, by: "ana", created_at_ms: 1, failed_at_ms: 2 },
  ...more,
});
