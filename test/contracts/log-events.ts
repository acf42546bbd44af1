/** Events for tests of the log. */
import type { Via } from "../../src/core/model/decision-types.ts";
import type { Event } from "../../src/core/model/events.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";

export function asked(seq: number, id: DecisionId = `dec-${seq}`, context = "why"): Event {
  return {
    seq,
    at_ms: 1_700_000_000_000 + seq,
    type: "decision:created",
    id,
    project: "shop",
    owner: { kind: "requester", id: "ana", name: "ana" },
    source: "request",
    title: `Question ${seq}`,
    context,
    fields: {},
    urgency: "medium",
    options: [],
    questions: [],
    action: null,
    requested_by: "ana",
    template: null,
    blocks: [],
    parent: null,
    predecessor: null,
    supersedes: null,
    created_at_ms: 1_700_000_000_000 + seq,
  };
}

export function withdrawn(seq: number, id: DecisionId): Event {
  return {
    seq,
    at_ms: 1_700_000_000_000 + seq,
    type: "decision:withdrawn",
    id,
    project: "shop",
    reason: "",
    by: "ana",
  };
}

export function resolved(seq: number, id: DecisionId, via: string): Event {
  return {
    seq,
    at_ms: 1_700_000_000_000 + seq,
    type: "decision:resolved",
    id,
    project: "shop",
    state: "resolved",
    action: { type: "answer" },
    ...{ chosen: null, choices: [], labels: [], text: "yes", message: null, by: "ana" },
    via: via as Via,
    resolved_at_ms: 1_700_000_000_000 + seq,
  };
}

/** Events `from` to `to`, each on a stream of its own. */
export function askedRange(from: number, to: number): Event[] {
  return Array.from({ length: to - from + 1 }, (_, i) => asked(from + i));
}
